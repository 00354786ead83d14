package org.grampus.mapreduce.imports;

import org.apache.hadoop.mapreduce.Counters;

/**
 * What the tasks of an import have done.
 *
 * @param rows that the servers have acknowledged; with {@code --bulk}, that the shuffle has taken
 * @param cells of these rows
 * @param bytes of the files that were read, as they are on disk
 * @param badRecords that no row could be made of
 */
record ImportCounters(long rows, long cells, long bytes, long badRecords) {
  static final String GROUP = "Grampus import";
  static final String ROWS = "ROWS";
  static final String CELLS = "CELLS";
  static final String BYTES = "BYTES_READ";
  static final String BAD_RECORDS = "BAD_RECORDS";

  static ImportCounters of(Counters counters) {
    return new ImportCounters(
        counters.findCounter(GROUP, ROWS).getValue(),
        counters.findCounter(GROUP, CELLS).getValue(),
        counters.findCounter(GROUP, BYTES).getValue(),
        counters.findCounter(GROUP, BAD_RECORDS).getValue());
  }
}
