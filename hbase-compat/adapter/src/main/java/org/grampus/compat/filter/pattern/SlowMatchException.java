package org.grampus.compat.filter.pattern;

/** Ends a search; without a trace, since it is thrown from the depth of a matcher. */
final class SlowMatchException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  SlowMatchException(String message) {
    super(message, null, false, false);
  }

  /** A search exceeded its time. */
  static SlowMatchException timeout(MatchLimits limits) {
    return new SlowMatchException(
        "RegexStringComparator: no answer after "
            + limits.millis()
            + " ms for one value; simplify the pattern, or raise grampus.pattern.timeout.ms");
  }

  /** The client has stopped waiting. */
  static SlowMatchException abandoned() {
    return new SlowMatchException("RegexStringComparator: the client has stopped waiting");
  }
}
