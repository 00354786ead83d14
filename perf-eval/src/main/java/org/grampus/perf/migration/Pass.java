package org.grampus.perf.migration;

import java.util.concurrent.TimeUnit;

/**
 * The cells that one pass copies, as a range of their timestamps.
 *
 * @param number from 1
 * @param startMillis the first timestamp
 * @param endMillis the first one behind the range; {@link Long#MAX_VALUE} for all that there are
 */
record Pass(int number, long startMillis, long endMillis) {
  /**
   * A cell has its timestamp before a scan can see it: one of a write that is under way at the end
   * of a pass is in the next. Calls of this check last less, and both servers have one clock.
   */
  static final long OVERLAP_MILLIS = TimeUnit.SECONDS.toMillis(5);

  /** What is older than now. */
  static Pass until(long now) {
    return new Pass(1, 0, now);
  }

  /** What has come since a time, and is older than now. */
  static Pass between(long time, long now) {
    return new Pass(1, overlapping(time), now);
  }

  /** What has come since this pass, and is older than now. */
  Pass next(long now) {
    return new Pass(number + 1, overlapping(endMillis), now);
  }

  /** What has come since this pass, cells with timestamps in the future included. */
  Pass last() {
    return new Pass(number + 1, overlapping(endMillis), Long.MAX_VALUE);
  }

  private static long overlapping(long time) {
    return Math.max(0, time - OVERLAP_MILLIS);
  }

  /** Whether it has no end. */
  boolean isLast() {
    return endMillis == Long.MAX_VALUE;
  }

  @Override
  public String toString() {
    return isLast() ? "last pass" : "pass " + number;
  }
}
