package org.grampus.perf.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.grampus.perf.result.Run;
import org.junit.jupiter.api.Test;

final class CostsByServerCountTest {
  private static Run run(String work, int servers, long operations, double seconds) {
    return run(1, work, servers, operations, seconds);
  }

  private static Run run(int round, String work, int servers, long operations, double seconds) {
    return new Run(
        "grampus",
        work,
        1,
        operations,
        null,
        null,
        seconds,
        null,
        null,
        null,
        null,
        null,
        null,
        Map.of(CostsByServerCount.SERVERS, servers, CostsByServerCount.ROUND, round));
  }

  @Test
  void repetitionsAreTakenTogether() {
    CostsByServerCount costs =
        CostsByServerCount.of(
            List.of(
                run("get", 1, 1_000, 0.010),
                run("get", 1, 3_000, 0.050),
                run("get", 2, 1_000, 0.018)));

    assertEquals(15, costs.micros().get("get").get(1), 1e-9);
    assertEquals(18, costs.micros().get("get").get(2), 1e-9);
  }

  @Test
  void costIsTheMedianOfTheRounds() {
    CostsByServerCount costs =
        CostsByServerCount.of(
            List.of(
                run(1, "get", 1, 1_000, 0.010),
                run(1, "get", 1, 1_000, 0.014),
                run(2, "get", 1, 9_000, 0.900),
                run(3, "get", 1, 1_000, 0.011),
                run(1, "get", 2, 1_000, 0.018),
                run(2, "get", 2, 1_000, 0.020)));

    assertEquals(12, costs.micros().get("get").get(1), 1e-9);
    assertEquals(19, costs.micros().get("get").get(2), 1e-9);
  }

  @Test
  void costMayGrowBy15Percent() {
    CostsByServerCount flat =
        CostsByServerCount.of(
            List.of(
                run("get", 3, 1_000, 0.023),
                run("get", 1, 1_000, 0.020),
                run("get", 2, 1_000, 0.010),
                run("scan", 1, 1_000, 0.001)));

    assertEquals(List.of(), flat.grown());
    assertEquals("most CPU per operation against the first: get 1.15 scan 1.00", flat.sentence());
  }

  @Test
  void costMayComeDown() {
    CostsByServerCount cheaper =
        CostsByServerCount.of(
            List.of(
                run("get", 1, 1_000, 0.020),
                run("get", 2, 1_000, 0.016),
                run("get", 3, 1_000, 0.018)));

    assertEquals("most CPU per operation against the first: get 0.90", cheaper.sentence());
  }

  @Test
  void workWhoseCostGrowsIsNamed() {
    CostsByServerCount grown =
        CostsByServerCount.of(
            List.of(
                run("put", 1, 1_000, 0.020),
                run("put", 2, 1_000, 0.024),
                run("put", 3, 1_000, 0.020),
                run("get", 1, 1_000, 0.020),
                run("get", 2, 1_000, 0.020)));

    assertEquals(
        List.of("put takes up to 1.20 of the CPU of 1 region servers; the limit is 1.15"),
        grown.grown());
  }

  @Test
  void tableHasAColumnForEachNumberOfServers() {
    List<String> lines =
        CostsByServerCount.of(
                List.of(
                    run("put", 1, 1_000, 0.020),
                    run("put", 3, 1_000, 0.022),
                    run("get", 1, 1_000, 0.010)))
            .table()
            .toString()
            .lines()
            .toList();

    assertTrue(lines.get(0).contains("µs, 1 | µs, 3 | most / first"), lines.get(0));
    assertTrue(lines.get(2).matches("\\| put +\\| +20.00 \\| +22.00 \\| +1.10 \\|"), lines.get(2));
    assertTrue(lines.get(3).matches("\\| get +\\| +10.00 \\| +\\| +1.00 \\|"), lines.get(3));
  }
}
