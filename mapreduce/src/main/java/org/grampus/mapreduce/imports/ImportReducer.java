package org.grampus.mapreduce.imports;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.hadoop.mapreduce.Reducer;
import org.grampus.mapreduce.command.FailureNotes;

/** Sorts the cells of each row of a region, for the column files. */
public final class ImportReducer
    extends Reducer<ImmutableBytesWritable, Put, ImmutableBytesWritable, Cell> {
  /** The part of the heap that one row may take, beside the framework's own buffers. */
  private static final int HEAP_PARTS = 4;

  /** For the framework. */
  public ImportReducer() {}

  @Override
  public void run(Context context) throws IOException, InterruptedException {
    Configuration conf = context.getConfiguration();
    FailureNotes failures = ImportRequest.of(conf).failures(conf);
    try {
      super.run(context);
      context.write(null, null); // completes the files here, where an error leaves its reason
    } catch (IOException | RuntimeException | Error e) {
      failures.leave("reduce-" + context.getTaskAttemptID().getTaskID().getId(), e);
      throw e;
    }
  }

  @Override
  protected void reduce(ImmutableBytesWritable row, Iterable<Put> puts, Context context)
      throws IOException, InterruptedException {
    SortedCells cells = new SortedCells(Runtime.getRuntime().maxMemory() / HEAP_PARTS);
    for (Put put : puts) {
      cells.add(put);
    }
    for (Cell cell : cells.inOrder()) {
      context.write(row, cell);
    }
  }
}
