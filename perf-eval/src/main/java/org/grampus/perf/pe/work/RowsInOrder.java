package org.grampus.perf.pe.work;

/** The rows that a scan may return: those of a range, each once, in its order. For one thread. */
final class RowsInOrder {
  private final long start;
  private final long end;
  private final boolean reversed;
  private long last;

  /**
   * Nothing has come yet.
   *
   * @param start the first row of the range
   * @param end the row behind its last
   * @param reversed whether the rows come downwards
   */
  RowsInOrder(long start, long end, boolean reversed) {
    this.start = start;
    this.end = end;
    this.reversed = reversed;
    this.last = reversed ? end : start - 1;
  }

  /** Whether a row may come now. */
  boolean accept(long row) {
    boolean accepted = row >= start && row < end && (reversed ? row < last : row > last);
    last = row;
    return accepted;
  }
}
