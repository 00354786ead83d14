package org.grampus.mapreduce.input;

import java.io.Closeable;
import java.io.IOException;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptContext;

/** Hands the results of a split to a task. One thread. */
final class SplitReader extends RecordReader<ImmutableBytesWritable, Result> {
  /** Begins to read a split. */
  @FunctionalInterface
  interface Opener {
    SplitRows open(InputSplit split, TaskAttemptContext context) throws IOException;
  }

  private final Opener opener;
  private final Closeable resources;
  private final ImmutableBytesWritable key = new ImmutableBytesWritable();
  private SplitRows rows;
  private Result value;

  /** A reader, which closes at its end what the rows need beside themselves. */
  SplitReader(Opener opener, Closeable resources) {
    this.opener = opener;
    this.resources = resources;
  }

  @Override
  public void initialize(InputSplit split, TaskAttemptContext context) throws IOException {
    rows = opener.open(split, context);
  }

  @Override
  public boolean nextKeyValue() throws IOException {
    value = rows.next();
    if (value == null) {
      return false;
    }
    key.set(rows.row());
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
    return rows == null ? 0 : rows.progress(); // a framework may ask before there is a split
  }

  @Override
  public void close() throws IOException {
    try (resources) {
      if (rows != null) {
        rows.close();
      }
    }
  }
}
