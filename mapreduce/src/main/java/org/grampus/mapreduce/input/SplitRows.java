package org.grampus.mapreduce.input;

import java.io.Closeable;
import java.io.IOException;
import org.apache.hadoop.hbase.client.Result;

/** The results of a split in the order of its scan, wherever they are read. One thread. */
public interface SplitRows extends Closeable {
  /** The next result, which may be a cursor if the scan wants such; null at the end. */
  Result next() throws IOException;

  /** The row of the last result. */
  byte[] row();

  /** How much of the split is read, from 0 to 1. */
  float progress();
}
