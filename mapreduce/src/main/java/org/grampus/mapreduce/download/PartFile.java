package org.grampus.mapreduce.download;

import java.io.Closeable;
import java.io.IOException;
import org.apache.hadoop.hbase.client.Result;

/**
 * The file of a part in the making. After an exception it is none, and closing completes nothing.
 * One thread.
 */
interface PartFile extends Closeable {
  /** Appends a whole row. */
  void append(Result row) throws IOException;

  /** Writes what is still to be written, and returns how many rows there are. */
  long finish() throws IOException;
}
