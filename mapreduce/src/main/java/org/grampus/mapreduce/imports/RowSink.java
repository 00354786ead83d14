package org.grampus.mapreduce.imports;

import java.io.Closeable;
import java.io.IOException;
import org.apache.hadoop.hbase.client.Put;

/** Where rows go. One thread. */
interface RowSink extends Closeable {
  /** Is told of rows once servers have acknowledged them, or the shuffle has them; not before. */
  @FunctionalInterface
  interface Listener {
    /** Rows, and the cells that they have together. */
    void arrived(long rows, long cells) throws IOException;
  }

  /**
   * Takes a row, and may keep it for a while.
   *
   * @throws IOException when this row or an earlier one has not arrived; what has is not known then
   */
  void write(Put row) throws IOException;

  /** Returns once all rows have arrived. */
  void flush() throws IOException;

  /** Lets go of what is open; rows that are still kept are lost. */
  @Override
  void close() throws IOException;
}
