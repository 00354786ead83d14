package org.grampus.perf.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.grampus.perf.result.Run;
import org.junit.jupiter.api.Test;

final class ComparisonTest {
  private static Run run(String server, String workload, int number, double micros) {
    return new Run(
        server,
        workload,
        number,
        1_000L,
        1.0,
        5_000.0,
        micros / 1000,
        micros,
        1.0,
        null,
        null,
        300L,
        0L,
        Map.of());
  }

  @Test
  void ratioIsOfSumsAndPairsStandBesideEachOther() {
    Comparison comparison =
        new Comparison(
            "HBase",
            List.of(
                List.of(
                    run("grampus", "scan", 1, 10),
                    run("hbase", "scan", 1, 20),
                    run("grampus", "scan", 2, 20),
                    run("hbase", "scan", 2, 80))));

    assertEquals("CPU per operation against HBase: scan 0.30", comparison.sentence());
    String table = comparison.table().toString();
    assertTrue(table.contains(" 0.25 - 0.50 |"), table);
    assertTrue(table.contains(" 15.00 "), table);
    assertTrue(table.contains(" 50.00 "), table);
  }

  @Test
  void workloadsStayInTheirOrder() {
    Comparison comparison =
        new Comparison(
            "HBase",
            List.of(
                List.of(
                    run("grampus", "scan", 1, 10),
                    run("hbase", "scan", 1, 10),
                    run("grampus", "randomRead", 1, 10),
                    run("hbase", "randomRead", 1, 40))));

    assertEquals(
        "CPU per operation against HBase: scan 1.00 randomRead 0.25", comparison.sentence());
  }

  /** The ratios of the rounds are 1/2, 1 and 2: t(0.975, 2) = 4.3027, so e^(4.3027 ln 2 / √3). */
  @Test
  void roundsGiveAnIntervalWhateverTheOrderOfTheirServers() {
    Comparison comparison =
        new Comparison(
            "earlier",
            List.of(
                List.of(run("grampus", "scan", 1, 10), run("earlier", "scan", 1, 20)),
                List.of(run("earlier", "scan", 2, 20), run("grampus", "scan", 2, 20)),
                List.of(run("grampus", "scan", 3, 40), run("earlier", "scan", 3, 20))));

    assertEquals(
        "CPU per operation against earlier: scan 1.17 (0.18 - 5.59)", comparison.sentence());
    assertTrue(comparison.table().toString().contains(" 0.50 - 2.00 "));
  }
}
