package org.grampus.mapreduce.input;

import java.io.IOException;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptContext;

/** Reads a split of a snapshot. One thread. */
final class SnapshotSplitReader extends RecordReader<ImmutableBytesWritable, Result> {
  private final ImmutableBytesWritable key = new ImmutableBytesWritable();
  private SnapshotRows rows;
  private Result value;

  @Override
  public void initialize(InputSplit split, TaskAttemptContext context) throws IOException {
    rows =
        new SnapshotRows(
            (SnapshotSplit) split,
            context.getConfiguration(),
            (group, name, amount) -> context.getCounter(group, name).increment(amount),
            context);
  }

  @Override
  public boolean nextKeyValue() throws IOException {
    value = rows.next();
    if (value == null) {
      return false;
    }
    key.set(value.getRow());
    return true;
  }

  @Override
  public ImmutableBytesWritable getCurrentKey() {
    return key;
  }

  @Override
  public Result getCurrentValue() {
    return value;
  }

  @Override
  public float getProgress() {
    return rows.progress();
  }

  @Override
  public void close() {
    if (rows != null) {
      rows.close();
    }
  }
}
