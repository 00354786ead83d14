package org.grampus.perf.client;

/** What each of several threads does of all operations. */
public final class ThreadShare {
  private ThreadShare() {}

  /**
   * As evenly as it comes out.
   *
   * @param thread its number, from 0
   */
  public static long of(long all, int threads, int thread) {
    return all / threads + (thread < all % threads ? 1 : 0);
  }
}
