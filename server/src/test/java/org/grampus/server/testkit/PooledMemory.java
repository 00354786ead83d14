package org.grampus.server.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.netty.buffer.PoolArenaMetric;
import io.netty.buffer.PooledByteBufAllocator;
import java.util.concurrent.TimeUnit;

/** Counts the pooled direct buffers that are in use, once the threads that cached some are gone. */
public final class PooledMemory {
  private static final long WAIT_NANOS = TimeUnit.SECONDS.toNanos(10);

  private PooledMemory() {}

  /** Buffers in use, those in caches of live threads included. */
  public static long buffersInUse() {
    return PooledByteBufAllocator.DEFAULT.metric().directArenas().stream()
        .mapToLong(PoolArenaMetric::numActiveAllocations)
        .sum();
  }

  /** Those among them that are larger than a chunk of the pool. */
  public static long hugeBuffersInUse() {
    return PooledByteBufAllocator.DEFAULT.metric().directArenas().stream()
        .mapToLong(PoolArenaMetric::numActiveHugeAllocations)
        .sum();
  }

  /** Fails unless the number comes down to this. */
  public static void assertBuffersInUse(long expected) {
    long end = System.nanoTime() + WAIT_NANOS;
    while (buffersInUse() != expected && System.nanoTime() - end < 0) {
      Thread.onSpinWait();
    }
    assertEquals(expected, buffersInUse(), "pooled buffers in use");
  }
}
