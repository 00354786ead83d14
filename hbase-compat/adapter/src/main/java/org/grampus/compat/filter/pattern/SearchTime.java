package org.grampus.compat.filter.pattern;

import java.util.concurrent.TimeUnit;

/**
 * The time that the searches of one call have taken, whichever patterns and values they are of, and
 * the compilation of the patterns. One thread at a time.
 */
public final class SearchTime {
  private long nanos;

  /** Nothing was searched. */
  public SearchTime() {}

  /**
   * Begins anew.
   *
   * @param freeMillis what the searches from now on may take before they count
   */
  public void restart(long freeMillis) {
    nanos = -TimeUnit.MILLISECONDS.toNanos(freeMillis);
  }

  /** The clock of searches, as {@link System#nanoTime}. */
  static long now() {
    return System.nanoTime();
  }

  /** Counts a search or a compilation, in nanoseconds. */
  public void add(long taken) {
    nanos += taken;
  }

  /** What is left of a limit, in nanoseconds; not positive when nothing is. */
  long left(MatchLimits limits) {
    return TimeUnit.MILLISECONDS.toNanos(limits.millis()) - nanos;
  }
}
