package org.grampus.perf.pe.measure;

/**
 * Rows of a test.
 *
 * @param expected that should have been read or written
 * @param done that were
 * @param missing that were asked for and were not there
 */
public record RowCounts(long expected, long done, long missing) {
  /** None. */
  public static final RowCounts NONE = new RowCounts(0, 0, 0);

  /** Those of two clients. */
  public RowCounts plus(RowCounts other) {
    return new RowCounts(expected + other.expected, done + other.done, missing + other.missing);
  }
}
