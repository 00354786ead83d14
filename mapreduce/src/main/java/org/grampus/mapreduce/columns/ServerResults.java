package org.grampus.mapreduce.columns;

import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.task.TaskAttemptContextImpl;
import org.grampus.mapreduce.input.TableInputFormat;

/** The rows of a split of a table, from its servers, outside of a job. One thread. */
public final class ServerResults implements Closeable {
  private final RecordReader<ImmutableBytesWritable, Result> reader;

  private ServerResults(RecordReader<ImmutableBytesWritable, Result> reader) {
    this.reader = reader;
  }

  /**
   * Begins to read a split.
   *
   * @param conf that the split was planned with
   * @throws IOException when the table cannot be reached
   */
  public static ServerResults open(Configuration conf, InputSplit split) throws IOException {
    TableInputFormat format = new TableInputFormat();
    format.setConf(conf);
    TaskAttemptContext context = new TaskAttemptContextImpl(conf, new TaskAttemptID());
    ServerResults results = new ServerResults(format.createRecordReader(split, context));
    try {
      results.reader.initialize(split, context);
      return results;
    } catch (InterruptedException e) {
      results.close();
      throw interrupted(e);
    } catch (IOException | RuntimeException e) {
      results.close();
      throw e;
    }
  }

  /** The next row; null at the end. */
  public Result next() throws IOException {
    try {
      return reader.nextKeyValue() ? reader.getCurrentValue() : null;
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  /** How much of the split is read, from 0 to 1. */
  public float share() throws IOException {
    try {
      return reader.getProgress();
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  private static InterruptedIOException interrupted(InterruptedException cause) {
    Thread.currentThread().interrupt();
    InterruptedIOException e = new InterruptedIOException("the reading was interrupted");
    e.initCause(cause);
    return e;
  }

  /** Lets go of the scanner and the connection. */
  @Override
  public void close() throws IOException {
    reader.close();
  }
}
