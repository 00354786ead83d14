package org.grampus.mapreduce.imports;

import java.io.IOException;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.hadoop.mapreduce.TaskInputOutputContext;
import org.grampus.mapreduce.load.LoadedTable;

/**
 * Hands rows to the reducers, which write them to column files. They have arrived with that: the
 * job has none of them in the table before it has all.
 */
final class ReducerSink implements RowSink {
  /** How many rows are reported at a time. */
  private static final int REPORTED_ROWS = 1000;

  private final TaskInputOutputContext<?, ?, ImmutableBytesWritable, Put> context;
  private final TableFamilies families;
  private final int split;
  private final Listener listener;
  private long written;
  private long unreportedRows;
  private long unreportedCells;

  private ReducerSink(
      TaskInputOutputContext<?, ?, ImmutableBytesWritable, Put> context,
      TableFamilies families,
      int split,
      Listener listener) {
    this.context = context;
    this.families = families;
    this.split = split;
    this.listener = listener;
  }

  /**
   * A sink of a map.
   *
   * @param split number of the map's split
   */
  static ReducerSink of(
      TaskInputOutputContext<?, ?, ImmutableBytesWritable, Put> context,
      ImportRequest request,
      int split,
      Listener listener)
      throws IOException {
    Configuration conf = context.getConfiguration();
    Set<byte[]> names = LoadedTable.families(conf).keySet();
    return new ReducerSink(context, new TableFamilies(request.table(), names), split, listener);
  }

  @Override
  public void write(Put row) throws IOException {
    families.require(row);
    new RowOrder(split, written++).write(row);
    try {
      context.write(new ImmutableBytesWritable(row.getRow()), row);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("the task was interrupted", e);
    }
    unreportedRows++;
    unreportedCells += row.size();
    if (unreportedRows >= REPORTED_ROWS) {
      flush();
    }
  }

  @Override
  public void flush() throws IOException {
    listener.arrived(unreportedRows, unreportedCells);
    unreportedRows = 0;
    unreportedCells = 0;
  }

  @Override
  public void close() {}
}
