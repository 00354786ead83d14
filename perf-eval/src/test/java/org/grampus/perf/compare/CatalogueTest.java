package org.grampus.perf.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.grampus.perf.ToolException;
import org.junit.jupiter.api.Test;

final class CatalogueTest {
  private static List<String> select(String... names) throws ToolException {
    return Catalogue.select(List.of(names), false, false).stream().map(Row::name).toList();
  }

  @Test
  void rowsHaveNamesOfTheirOwn() {
    List<String> names = Catalogue.all().stream().map(Row::name).toList();

    assertEquals(names.size(), new HashSet<>(names).size(), names.toString());
  }

  /** A table that is dropped after its rows cannot have another one later. */
  @Test
  void rowsOfOneTableAreInLine() {
    Set<DataSet> before = new HashSet<>();
    DataSet last = null;
    for (Row row : Catalogue.all().stream().filter(Row::hasServers).toList()) {
      DataSet data = row.data().orElseThrow();
      if (!data.equals(last)) {
        assertTrue(before.add(data), row.name());
        last = data;
      }
    }
  }

  @Test
  void allRowsButTheEchoAreOfServers() {
    assertEquals(
        List.of(Echo.NAME),
        Catalogue.all().stream().filter(row -> !row.hasServers()).map(Row::name).toList());
  }

  @Test
  void rowsAreSelectedByNameInTheOrderOfTheTable() throws ToolException {
    assertEquals(List.of("scan", "scan-snappy"), select("scan-snappy", "scan"));
  }

  @Test
  void whatTakesLongComesByItsNameOrWhenHoursMayPass() throws ToolException {
    List<String> all = Catalogue.all().stream().map(Row::name).toList();
    List<String> usual = all.stream().filter(name -> !name.startsWith("flat-")).toList();

    assertEquals(usual, select());
    assertEquals(all, Catalogue.select(List.of(), false, true).stream().map(Row::name).toList());
    assertFalse(select("flat").contains("flat-rows-100"));
    assertEquals(List.of("flat-rows-1", "flat-rows-100"), select("flat-rows-100"));
    assertTrue(
        Catalogue.select(List.of("flat"), false, true).stream()
            .anyMatch(row -> row.name().equals("flat-rows-100")));
  }

  @Test
  void costsAreFlatBesideTheFirstOfTheirKind() throws ToolException {
    assertEquals("1.15 of the CPU of flat-rows-1", goal("flat-rows-10"));
    assertEquals("1.15 of the CPU of flat-rows-1", goal("flat-regions-1000"));
    assertEquals("1.15 of the CPU of flat-connections-1", goal("flat-connections-500"));
    assertEquals(
        List.of("flat-connections-1", "flat-connections-50"), select("flat-connections-50"));
    assertEquals(
        "0.50 of the CPU, 1.15 of the CPU of flat-rows-1",
        Catalogue.select(List.of("flat-rows-10"), true, false).get(1).goal().orElseThrow().text());
  }

  @Test
  void namesOfPerformanceEvaluationAreUnderstood() throws ToolException {
    assertEquals(
        List.of("echo", "put-batched", "put", "get", "scan"),
        select("sequentialWrite", "randomRead", "scan", "randomWrite"));
  }

  @Test
  void rowsBringTheReferenceRowsOfTheirGoals() throws ToolException {
    assertEquals(List.of("echo", "get"), select("get"));
    assertEquals(List.of("echo"), select("echo"));
    assertEquals(List.of("scan"), select("scan"));
    assertEquals(List.of("overload-1", "overload-2", "overload-4"), select("overload-4"));
  }

  @Test
  void goalsOnHdfsCompareWithNoEcho() throws ToolException {
    List<Row> all = Catalogue.select(List.of(), true, false);

    assertEquals(List.of(), all.stream().filter(row -> !row.hasServers()).toList());
    assertEquals(Optional.empty(), Catalogue.select(List.of("echo"), true, false).get(0).goal());
  }

  @Test
  void callsMayTakeMoreThanTheirPartWhereTheEchoDoes() {
    assertEquals("0.25 of the CPU or echo + 6 µs", goal("get"));
    assertEquals("0.25 of the CPU or echo + 8 µs", goal("put"));
    assertEquals("0.25 of the CPU or echo + 8 µs", goal("increment"));
    assertEquals("0.25 of the CPU", goal("get-ten"));
  }

  private static String goal(String name) {
    return Catalogue.all().stream()
        .filter(row -> row.name().equals(name))
        .map(row -> row.goal().orElseThrow().text())
        .findFirst()
        .orElseThrow();
  }

  @Test
  void observedRowsHaveToBeAsCheapAndAsFast() throws ToolException {
    List<Row> rows = Catalogue.observed(List.of("get", "disk-none"), false);

    assertEquals(List.of("get"), rows.stream().map(Row::name).toList());
    Goal goal = rows.get(0).goal().orElseThrow();
    assertEquals("1.05 of the CPU and of the time by round, no error", goal.text());
    assertEquals(3, goal.leastRounds());
  }

  @Test
  void observedRowsBringNoReferenceRows() throws ToolException {
    List<Row> rows = Catalogue.observed(List.of("overload-4"), false);

    assertEquals(List.of("overload-4"), rows.stream().map(Row::name).toList());
  }

  @Test
  void observationOfNoRowIsRefused() {
    List<String> none = List.of("echo", "disk-none");

    assertEquals(
        "no row is left for --observed: the echo and sizes of tables are the same on both servers",
        assertThrows(ToolException.class, () -> Catalogue.observed(none, false)).getMessage());
  }

  @Test
  void rowsAtOnceHaveNoGoalAndSoNoReferenceRows() throws ToolException {
    List<Row> rows = Catalogue.atOnce(List.of("get", "echo", "overload"), false);

    assertEquals(List.of("get"), rows.stream().map(Row::name).toList());
    assertEquals(Optional.empty(), rows.get(0).goal());
  }

  @Test
  void atOnceNoRowOfOverloadIsLeft() {
    assertEquals(
        "no row is left for --at-once: the echo and sizes of tables are the same on both servers,"
            + " and rows of overload would have twice their threads",
        assertThrows(
                ToolException.class,
                () -> Catalogue.atOnce(List.of("overload", "disk-none"), false))
            .getMessage());
  }

  @Test
  void overloadIsThreeRows() throws ToolException {
    assertEquals(List.of("overload-1", "overload-2", "overload-4"), select("overload"));
  }

  @Test
  void unknownRowIsNamedBesideThoseThatThereAre() {
    ToolException failure = assertThrows(ToolException.class, () -> select("gets"));

    assertTrue(failure.getMessage().startsWith("unknown row gets; there are echo, put-batched, "));
  }

  private static String goalOnHdfs(String name) throws ToolException {
    return Catalogue.select(List.of(name), true, false).get(0).goal().map(Goal::text).orElse("");
  }

  @Test
  void rowsHaveOtherGoalsOnHdfs() throws ToolException {
    assertEquals("0.50 of the CPU", goalOnHdfs("get"));
    assertEquals("0.50 of the CPU", goalOnHdfs("ycsb-a"));
    assertEquals("0.50 of the CPU, p99 no worse", goalOnHdfs("put"));
    assertEquals("1.15 of Parquet's 5488743 bytes", goalOnHdfs("disk-zstd"));
    assertEquals(
        "0.50 of the CPU, 0.90 of the best throughput, no error,"
            + " p99 at most 8 times that of overload-1",
        Catalogue.select(List.of("overload-4"), true, false).get(2).goal().orElseThrow().text());
  }

  /** A row that was renamed would lose its goal without a word. */
  @Test
  void rowsWhoseLatencyIsTheLogsAreThoseOfSingleWrites() throws ToolException {
    List<String> logged =
        Catalogue.select(List.of(), true, false).stream()
            .filter(row -> row.goal().orElseThrow().text().endsWith("p99 no worse"))
            .map(Row::name)
            .toList();

    assertEquals(List.of("put", "increment", "append", "check-and-put"), logged);
  }
}
