package org.grampus.compat.filter.pattern;

/** Ends a search without an answer; without a trace, since it may come from deep in a matcher. */
final class SearchFailedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  SearchFailedException(String reason) {
    super("RegexStringComparator: " + reason, null, false, false);
  }

  /** The searches of the call have exceeded their time. */
  static SearchFailedException timeout(MatchLimits limits) {
    return new SearchFailedException(
        "no answer after "
            + limits.millis()
            + " ms of searching; simplify the pattern or raise grampus.pattern.timeout.ms");
  }

  /** The client has stopped waiting. */
  static SearchFailedException abandoned() {
    return new SearchFailedException("the client has stopped waiting");
  }
}
