package org.grampus.server.region;

/**
 * Moving average of the size of a region's scan results, in bytes. Any thread; of two concurrent
 * updates one may be lost.
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
