package org.grampus.perf.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.List;
import java.util.Map;
import org.grampus.perf.result.Run;
import org.junit.jupiter.api.Test;

final class WayRunsTest {
  private static Run run(long rows, double seconds) {
    return new Run(
        "grampus",
        "rows",
        1,
        rows,
        seconds,
        rows / seconds,
        1.0,
        1.0,
        2.0,
        null,
        null,
        null,
        null,
        Map.of());
  }

  @Test
  void ratesAreOfTheSecondsOfAllRuns() {
    WayRuns runs = new WayRuns(1.5, List.of(run(1000, 2), run(1000, 3)));

    assertEquals(400, runs.rowsPerSecond(), 1e-9);
    assertEquals(1000, runs.marginalRowsPerSecond(), 1e-9);
    assertEquals(2000, runs.microsPerRow(Run::clientCpuSeconds), 1e-9);
  }

  @Test
  void aJobThatIsNoLongerThanItsFixedPartHasNoMarginalRate() {
    assertNull(WayRuns.marginalRate(1000, 1.5, 1.5));
    assertNull(new WayRuns(2, List.of(run(1000, 1.5))).marginalRowsPerSecond());
  }
}
