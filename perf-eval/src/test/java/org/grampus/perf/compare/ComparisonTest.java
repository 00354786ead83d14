package org.grampus.perf.compare;

import static org.grampus.perf.compare.Fixture.row;
import static org.grampus.perf.compare.Fixture.run;
import static org.grampus.perf.compare.Fixture.untimed;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class ComparisonTest {
  @Test
  void ratioIsOfSumsAndPairsStandBesideEachOther() {
    Comparison comparison =
        new Comparison(
            "HBase",
            List.of(row("scan", Goal.cpu(0.31))),
            List.of(
                run("grampus", "scan", 1, 10),
                run("hbase", "scan", 1, 20),
                run("grampus", "scan", 1, 20),
                run("hbase", "scan", 1, 80)));

    assertEquals(
        "CPU per operation against HBase: scan 0.30; 1 of 1 goals hold", comparison.sentence());
    String table = comparison.goals().toString();
    assertTrue(table.contains(" 0.25 - 0.50 |"), table);
    assertTrue(table.contains(" 15.00 "), table);
    assertTrue(table.contains(" 50.00 "), table);
    assertTrue(table.contains(" 0.31 of the CPU "), table);
    assertTrue(table.contains(" yes "), table);
  }

  @Test
  void rowsStayInTheirOrderAndThoseWithoutARunAreLeftOut() {
    Comparison comparison =
        new Comparison(
            "HBase",
            List.of(row("get", Goal.cpu(0.25)), row("put", Goal.cpu(0.25)), row("scan", null)),
            List.of(
                run("grampus", "scan", 1, 10),
                run("hbase", "scan", 1, 10),
                run("hbase", "get", 1, 30),
                run("grampus", "get", 1, 10)));

    assertEquals(
        "CPU per operation against HBase: get 0.33 scan 1.00; 0 of 1 goals hold",
        comparison.sentence());
    assertFalse(comparison.goals().toString().contains("put"));
  }

  @Test
  void processorTimeThatDoesNotCountHasNoRatio() {
    Comparison comparison =
        new Comparison(
            "HBase",
            List.of(row("get", Goal.cpu(0.25)), untimed("disk", Goal.parquet(1))),
            List.of(
                run("grampus", "get", 1, 10),
                run("hbase", "get", 1, 40),
                run("grampus", "disk", 1, 30),
                run("hbase", "disk", 1, 40)));

    assertEquals(
        "CPU per operation against HBase: get 0.25; 1 of 2 goals hold", comparison.sentence());
    assertFalse(comparison.goals().toString().contains("0.75"));
    assertFalse(comparison.toMaps().get(1).containsKey("ratio"));
    assertEquals(List.of("disk"), comparison.missed());
  }

  @Test
  void rowsWithoutAGoalMissNone() {
    Comparison comparison =
        new Comparison(
            "HBase",
            List.of(row("get", Goal.cpu(0.25)), row("scan", null)),
            List.of(
                run("grampus", "get", 1, 10),
                run("hbase", "get", 1, 40),
                run("grampus", "scan", 1, 40),
                run("hbase", "scan", 1, 10)));

    assertEquals(List.of(), comparison.missed());
  }

  @Test
  void goalIsNotJudgedByFewerRoundsThanItNeeds() {
    Comparison comparison =
        new Comparison(
            "unobserved",
            List.of(row("get", Goal.observed(1.05, 3))),
            List.of(run("grampus", "get", 1, 20), run("unobserved", "get", 1, 10)));

    assertEquals(List.of(), comparison.missed());
    assertFalse(comparison.toMaps().get(0).containsKey("holds"));
    assertEquals("CPU per operation against unobserved: get 2.00", comparison.sentence());
  }

  /** The ratios of the rounds are 1/2, 1 and 2: t(0.975, 2) = 4.3027, so e^(4.3027 ln 2 / √3). */
  @Test
  void roundsGiveAnIntervalWhateverTheOrderOfTheirServers() {
    Comparison comparison =
        new Comparison(
            "earlier",
            List.of(row("scan", null)),
            List.of(
                run("grampus", "scan", 1, 10),
                run("earlier", "scan", 1, 20),
                run("earlier", "scan", 2, 20),
                run("grampus", "scan", 2, 20),
                run("grampus", "scan", 3, 40),
                run("earlier", "scan", 3, 20)));

    assertEquals(
        "CPU per operation against earlier: scan 1.17 (0.18 - 5.59)", comparison.sentence());
    assertTrue(comparison.goals().toString().contains(" 0.50 - 2.00 "));
  }

  @Test
  void figuresOfBothServersStandBelowEachOther() {
    Comparison comparison =
        new Comparison(
            "HBase",
            List.of(row("get", null)),
            List.of(run("grampus", "get", 1, 10), run("hbase", "get", 1, 20)));

    List<String> lines = comparison.figures().toString().lines().toList();
    assertEquals(4, lines.size());
    assertEquals(
        List.of(
            "get", "Grampus", "0.2", "0.01", "10.00", "2.00", "5000", "30", "40", "0", "300",
            "2.0"),
        cells(lines.get(2)));
    assertEquals("HBase", cells(lines.get(3)).get(1));
  }

  @Test
  void echoStandsBesideTheRowsThatAreComparedWithIt() {
    Comparison comparison =
        new Comparison(
            "HBase",
            List.of(Echo.row(), row("get", Goal.aboveEcho(6)), row("scan", Goal.cpu(0.5))),
            List.of(
                run(Echo.NAME, Echo.NAME, 1, 9),
                run(Echo.NAME, Echo.NAME, 2, 10),
                run("grampus", "get", 1, 16),
                run("hbase", "get", 1, 40),
                run("grampus", "scan", 1, 10),
                run("hbase", "scan", 1, 40)));

    List<String> goals = comparison.goals().toString().lines().toList();
    assertEquals(4, goals.size());
    assertEquals("9.50", cells(goals.get(2)).get(8));
    assertEquals("no", cells(goals.get(2)).get(10));
    assertEquals("", cells(goals.get(3)).get(8));
    List<String> echo = cells(comparison.figures().toString().lines().toList().get(2));
    assertEquals(List.of("echo", "echo"), echo.subList(0, 2));
    assertEquals("9.50", echo.get(4));
    assertEquals("echo", comparison.toMaps().get(0).get("row"));
    assertEquals(
        "CPU per operation against HBase: get 0.40 scan 0.25; 1 of 2 goals hold",
        comparison.sentence());
  }

  private static List<String> cells(String line) {
    return List.of(line.substring(1).replace(" ", "").split("\\|", 0));
  }

  @Test
  void jsonSaysGoalAndVerdictOfEachRow() {
    Map<String, Object> get =
        new Comparison(
                "HBase",
                List.of(row("get", Goal.cpu(0.25))),
                List.of(run("grampus", "get", 1, 10), run("hbase", "get", 1, 20)))
            .toMaps()
            .get(0);

    assertEquals("get", get.get("row"));
    assertEquals(0.5, get.get("ratio"));
    assertEquals("0.25 of the CPU", get.get("goal"));
    assertEquals(false, get.get("holds"));
    assertTrue(get.containsKey("grampus") && get.containsKey("HBase"), get.toString());
  }
}
