package org.grampus.server.region;

/**
 * Whether a scan of a region is worth a try on an event loop. What a try has read that fails is
 * read again on a pool. So a failure makes the region pass over twice as many scans as before until
 * the next try, up to {@link #PASSED_MAX}, where failed tries cost next to nothing; a success
 * halves that number. Any thread; of two concurrent updates one may be lost.
 */
public final class ScanTries {
  static final int PASSED_MAX = 1023;

  /** Scans that were passed over after the last failure, fewer with each success since. */
  private volatile int passes;

  private volatile int passesLeft;

  /** Whether the next scan may be tried; when not, it counts as passed over. */
  public boolean mayTry() {
    int left = passesLeft;
    if (left == 0) {
      return true;
    }
    passesLeft = left - 1;
    return false;
  }

  /** A scan ended within its try. */
  public void succeeded() {
    if (passes != 0) {
      passes /= 2;
    }
  }

  /** A scan did not end within its try. */
  public void failed() {
    int next = Math.min(2 * passes + 1, PASSED_MAX);
    passes = next;
    passesLeft = next;
  }
}
