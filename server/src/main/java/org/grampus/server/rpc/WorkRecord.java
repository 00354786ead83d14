package org.grampus.server.rpc;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How much more than usual the calls of a client have taken of the processors lately. What is more
 * than usual in a call is added up, and forgiven with time. Any thread.
 */
final class WorkRecord {
  /** What a call may take and leave no trace: a reply of 2 MiB from pages in memory takes less. */
  static final long USUAL_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

  /** From here on a client's work is heavy. */
  static final long HEAVY_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  /** A second of work is forgiven after as many seconds. */
  private static final int FORGIVING_PARTS = 20;

  /** Nothing is remembered for longer. */
  private static final long MOST_NANOS = TimeUnit.SECONDS.toNanos(10);

  /** When all will be forgiven, as {@link System#nanoTime}. */
  private final AtomicLong forgivenNanos;

  /** A record without an entry. */
  WorkRecord(long now) {
    forgivenNanos = new AtomicLong(now);
  }

  /** A record that begins with what another one has. */
  WorkRecord(WorkRecord other) {
    forgivenNanos = new AtomicLong(other.forgivenNanos.get());
  }

  /** Enters a call that took {@code nanos} nanoseconds of a processor. */
  void add(long nanos, long now) {
    long more = nanos - USUAL_NANOS;
    if (more > 0) {
      forgivenNanos.updateAndGet(
          until -> now + Math.min(Math.max(until - now, 0) + more * FORGIVING_PARTS, MOST_NANOS));
    }
  }

  /** Whether the client's work is heavy. */
  boolean isHeavy(long now) {
    return forgivenNanos.get() - now > HEAVY_NANOS * FORGIVING_PARTS;
  }
}
