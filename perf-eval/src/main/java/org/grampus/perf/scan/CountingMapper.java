package org.grampus.perf.scan;

import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.hadoop.hbase.mapreduce.TableMapper;
import org.apache.hadoop.io.NullWritable;

/** Looks at each cell of each row, and writes nothing. */
public final class CountingMapper extends TableMapper<NullWritable, NullWritable> {
  /** What is counted. */
  enum Counted {
    /** Rows. */
    ROWS,
    /** Cells. */
    CELLS,
    /** Bytes of the cells' values. */
    VALUE_BYTES
  }

  /** For the framework. */
  public CountingMapper() {}

  @Override
  protected void map(ImmutableBytesWritable key, Result row, Context context) {
    long bytes = 0;
    for (Cell cell : row.rawCells()) {
      bytes += cell.getValueLength();
    }
    context.getCounter(Counted.ROWS).increment(1);
    context.getCounter(Counted.CELLS).increment(row.size());
    context.getCounter(Counted.VALUE_BYTES).increment(bytes);
  }
}
