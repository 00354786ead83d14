package org.grampus.perf.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

final class CostTest {
  private static final Variant VARIANT = new Variant(4, SyncCalls.HFLUSH, StreamKind.PIPELINE, 1);

  /** A turn of a second with that many groups. */
  private static Turn turn(int groups, long latencyMicros, CpuMicros cpu) {
    Histogram latencies = new Histogram(GroupWriter.DIGITS);
    latencies.recordValueWithCount(latencyMicros * 1000, groups);
    return new Turn(latencies, 1_000_000_000L, cpu);
  }

  @Test
  void turnsAreSummedUp() {
    Cost cost =
        Cost.of(
            VARIANT,
            List.of(
                turn(900, 500, new CpuMicros(90_000, 300_000)),
                turn(100, 4000, new CpuMicros(30_000, 100_000))));

    assertEquals(1000, cost.groups());
    assertEquals(500, cost.groupsPerSecond());
    assertEquals(500 * VARIANT.groupBytes() / 1e6, cost.megabytesPerSecond(), 1e-9);
    assertEquals(500, cost.p50Micros(), 0.5);
    assertEquals(4000, cost.p99Micros(), 4);
    assertEquals(120, cost.clientMicrosPerGroup());
    assertEquals(400, cost.dataNodeMicrosPerGroup());
    assertEquals(List.of(900.0, 100.0), cost.groupsPerSecondByTurn());
  }
}
