package org.grampus.perf.pe.option;

/**
 * Rows of a client in one cycle.
 *
 * @param start the first
 * @param rows their number
 */
public record Share(long start, long rows) {
  /** The row behind the last. */
  public long end() {
    return start + rows;
  }
}
