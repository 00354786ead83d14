package org.grampus.server.region;

/**
 * How large the results of a region's scans are in the mean, of which later replies weigh more. Any
 * thread; what two set at once counts once.
 */
public final class ResultBytes {
  /** What a reply weighs: a quarter, so that a few replies show that rows have changed. */
  private static final int WEIGHT = 4;

  private volatile int mean;

  /** Takes over a reply's results, one at least, and the bytes of their cells. */
  public void returned(int results, int bytes) {
    int now = bytes / results;
    int before = mean;
    int after = before == 0 ? now : before + (now - before) / WEIGHT;
    if (after != before) {
      mean = after;
    }
  }

  /** The bytes that this number of results would take; 0 before the first reply. */
  public long of(int results) {
    return (long) mean * results;
  }
}
