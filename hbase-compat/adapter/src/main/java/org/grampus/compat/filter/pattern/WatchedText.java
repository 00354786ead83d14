package org.grampus.compat.filter.pattern;

/**
 * The text that a matcher searches. A search has no other way to be ended than by what it reads, so
 * every 4,096 characters this checks the clock and the call. One thread at a time.
 */
final class WatchedText implements CharSequence {
  private static final int READS_PER_CHECK = 4096;

  private final MatchLimits limits;
  private String text = "";
  private int readsLeft = READS_PER_CHECK;
  private long endNanos;

  WatchedText(MatchLimits limits) {
    this.limits = limits;
  }

  /**
   * Begins a search.
   *
   * @param end when it is to be given up, as {@link System#nanoTime}
   */
  void begin(String searched, long end) {
    text = searched;
    endNanos = end;
  }

  @Override
  public char charAt(int index) {
    if (--readsLeft == 0) {
      readsLeft = READS_PER_CHECK;
      check();
    }
    return text.charAt(index);
  }

  private void check() {
    if (System.nanoTime() - endNanos >= 0) {
      throw SearchFailedException.timeout(limits);
    }
    if (limits.abandoned().getAsBoolean()) {
      throw SearchFailedException.abandoned();
    }
  }

  @Override
  public int length() {
    return text.length();
  }

  @Override
  public CharSequence subSequence(int start, int end) {
    return text.subSequence(start, end);
  }

  @Override
  public String toString() {
    return text;
  }
}
