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
                run("grampus", "scan", 1, 10),
                run("hbase", "scan", 1, 20),
                run("grampus", "scan", 2, 20),
                run("hbase", "scan", 2, 80)));

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
                run("grampus", "scan", 1, 10),
                run("hbase", "scan", 1, 10),
                run("grampus", "randomRead", 1, 10),
                run("hbase", "randomRead", 1, 40)));

    assertEquals(
        "CPU per operation against HBase: scan 1.00 randomRead 0.25", comparison.sentence());
  }
}
