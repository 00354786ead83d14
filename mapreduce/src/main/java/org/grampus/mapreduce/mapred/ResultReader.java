package org.grampus.mapreduce.mapred;

import java.io.Closeable;
import java.io.IOException;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.hadoop.mapred.RecordReader;

/** Results for the old API, which fills objects that it has made before. One thread. */
final class ResultReader implements RecordReader<ImmutableBytesWritable, Result> {
  /** Where results come from; null is the end. */
  @FunctionalInterface
  interface Results {
    Result next() throws IOException;
  }

  /** How much is read, from 0 to 1. */
  @FunctionalInterface
  interface Share {
    float get();
  }

  private final Results results;
  private final Share share;
  private final Closeable resources;
  private long returned;

  ResultReader(Results results, Share share, Closeable resources) {
    this.results = results;
    this.share = share;
    this.resources = resources;
  }

  @Override
  public boolean next(ImmutableBytesWritable key, Result value) throws IOException {
    Result result = results.next();
    while (result != null && result.isEmpty()) {
      result = results.next(); // a cursor, which the old API does not know
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
    return share.get();
  }

  @Override
  public void close() throws IOException {
    resources.close();
  }
}
