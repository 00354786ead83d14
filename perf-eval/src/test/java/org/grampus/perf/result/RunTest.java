package org.grampus.perf.result;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class RunTest {
  private static Run run(long rows, double rate) {
    return new Run(
        "grampus", "get", 1, rows, null, rate, null, null, null, null, null, null, null, Map.of());
  }

  @Test
  void rateOfRunsIsOfTheSecondsOfAllOfThem() {
    // 4 s and 1 s
    assertEquals(160, Run.rowsPerSecondOf(List.of(run(400, 100), run(400, 400))), 1e-9);
  }
}
