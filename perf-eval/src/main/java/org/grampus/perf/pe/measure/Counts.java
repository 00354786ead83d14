package org.grampus.perf.pe.measure;

/**
 * What was done.
 *
 * @param operations that were answered: gets, rows of a scan, short scans, writes
 * @param rows of these operations
 * @param wrong answers with other rows or values than were asked for; 0 without --verify and
 *     --filterAll
 * @param stale rows from secondary replicas
 * @param bytes of these rows: keys, values, and names of families and columns
 */
public record Counts(long operations, RowCounts rows, long wrong, long stale, long bytes) {
  /** Nothing. */
  public static final Counts NONE = new Counts(0, RowCounts.NONE, 0, 0, 0);

  /** Those of two clients. */
  public Counts plus(Counts other) {
    return new Counts(
        operations + other.operations,
        rows.plus(other.rows),
        wrong + other.wrong,
        stale + other.stale,
        bytes + other.bytes);
  }
}
