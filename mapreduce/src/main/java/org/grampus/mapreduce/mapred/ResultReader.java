package org.grampus.mapreduce.mapred;

import java.io.Closeable;
import java.io.IOException;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.hadoop.mapred.RecordReader;
import org.grampus.mapreduce.input.SplitRows;

/** Results for the old API, which fills objects that it has made before. One thread. */
final class ResultReader implements RecordReader<ImmutableBytesWritable, Result> {
  private final SplitRows rows;
  private final Closeable resources;
  private long returned;

  /** A reader, which closes at its end what the rows need beside themselves. */
  ResultReader(SplitRows rows, Closeable resources) {
    this.rows = rows;
    this.resources = resources;
  }

  @Override
  public boolean next(ImmutableBytesWritable key, Result value) throws IOException {
    Result result = rows.next();
    while (result != null && result.isEmpty()) {
      result = rows.next(); // a cursor, which the old API does not know
    }
    if (result == null) {
      return false;
    }
    key.set(result.getRow());
    value.copyFrom(result);
    returned++;
    return true;
  }

  @Override
  public ImmutableBytesWritable createKey() {
    return new ImmutableBytesWritable();
  }

  @Override
  public Result createValue() {
    return new Result();
  }

  /** The number of results so far. */
  @Override
  public long getPos() {
    return returned;
  }

  @Override
  public float getProgress() {
    return rows.progress();
  }

  @Override
  public void close() throws IOException {
    try (resources) {
      rows.close();
    }
  }
}
