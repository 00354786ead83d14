package org.grampus.perf.pe.measure;

/**
 * What a client has done. A write counts when the server has acknowledged it, a read when its
 * answer is there. For one thread.
 */
public final class Tally {
  private long operations;
  private long expected;
  private long rows;
  private long missing;
  private long wrong;
  private long stale;
  private long bytes;

  /** Counts rows that are asked for, or that are to be written. */
  public void ask(long count) {
    expected += count;
  }

  /** Counts operations that were answered. */
  public void answered(long count) {
    operations += count;
  }

  /** Counts rows that were read, or whose writes were acknowledged. */
  public void rows(long count) {
    rows += count;
  }

  /**
   * Counts bytes of rows that were read, or whose writes were acknowledged: their keys, their
   * values, and the names of their families and columns.
   */
  public void bytes(long count) {
    bytes += count;
  }

  /** Counts rows that should have been there. */
  public void missing(long count) {
    missing += count;
  }

  /** Counts an answer with another row, or other values, than was asked for. */
  public void wrong() {
    wrong++;
  }

  /** Counts a row that came from a secondary replica. */
  public void stale() {
    stale++;
  }

  /** Operations that were answered until now. */
  public long operations() {
    return operations;
  }

  /** All counts as they are now. */
  public Counts counts() {
    return new Counts(operations, new RowCounts(expected, rows, missing), wrong, stale, bytes);
  }
}
