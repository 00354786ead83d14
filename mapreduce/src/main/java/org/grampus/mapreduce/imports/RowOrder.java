package org.grampus.mapreduce.imports;

import java.nio.ByteBuffer;
import org.apache.hadoop.hbase.client.Put;

/**
 * Where the record of a row stands among all records, on its way to a reducer: of equal cells the
 * last one counts, as if all records had been put one after the other.
 *
 * @param split of the record, by its number
 * @param record within the split
 */
record RowOrder(int split, long record) implements Comparable<RowOrder> {
  private static final String ATTRIBUTE = "grampus.import.order";

  /** What a row says. */
  static RowOrder of(Put row) {
    ByteBuffer bytes = ByteBuffer.wrap(row.getAttribute(ATTRIBUTE));
    return new RowOrder(bytes.getInt(), bytes.getLong());
  }

  /** Writes it to a row. */
  void write(Put row) {
    byte[] bytes = new byte[Integer.BYTES + Long.BYTES];
    ByteBuffer.wrap(bytes).putInt(split).putLong(record);
    row.setAttribute(ATTRIBUTE, bytes);
  }

  @Override
  public int compareTo(RowOrder other) {
    return split == other.split
        ? Long.compare(record, other.record)
        : Integer.compare(split, other.split);
  }
}
