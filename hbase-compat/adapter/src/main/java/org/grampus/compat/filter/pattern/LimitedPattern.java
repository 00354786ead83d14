package org.grampus.compat.filter.pattern;

import org.grampus.engine.CompiledPattern;

/** A pattern whose searches count towards the time of the call that they are of. */
abstract class LimitedPattern implements CompiledPattern {
  private final MatchLimits limits;
  private String failure;

  LimitedPattern(MatchLimits limits) {
    this.limits = limits;
  }

  /** What ends its searches. */
  final MatchLimits limits() {
    return limits;
  }

  /**
   * Whether the pattern occurs in a value.
   *
   * @param endNanos when the search is to be given up, as {@link System#nanoTime}
   * @throws SearchFailedException when there is no answer
   */
  abstract boolean search(byte[] value, long endNanos);

  @Override
  public final int find(byte[] value) {
    SearchTime searchTime = limits.call().get();
    long begin = SearchTime.now();
    try {
      long left = searchTime.left(limits);
      if (left <= 0) {
        throw SearchFailedException.timeout(limits);
      }
      return search(value, begin + left) ? FOUND : ABSENT;
    } catch (SearchFailedException e) {
      failure = e.getMessage();
      return FAILED;
    } finally {
      searchTime.add(SearchTime.now() - begin);
    }
  }

  @Override
  public final String failure() {
    return failure;
  }
}
