package org.grampus.mapreduce.input;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.hadoop.mapreduce.InputFormat;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptContext;

/**
 * The rows of a snapshot, read from its files: no server is asked, and nothing is written. It takes
 * the place of HBase's {@code TableSnapshotInputFormat} in a job and understands its keys; of its
 * restore directory it has no need.
 */
public class SnapshotInputFormat extends InputFormat<ImmutableBytesWritable, Result> {
  /** For the framework. */
  public SnapshotInputFormat() {}

  /** Lets a job read a snapshot through this format, with the jars that its tasks need. */
  public static void setInput(Job job, String snapshot) throws IOException {
    job.setInputFormatClass(SnapshotInputFormat.class);
    SnapshotSplits.setSnapshot(job.getConfiguration(), snapshot);
    JobJars.add(job.getConfiguration());
  }

  /** The same for callers of HBase's method of this name; the directory is not used. */
  public static void setInput(Job job, String snapshot, Path restoreDir) throws IOException {
    setInput(job, snapshot);
  }

  /**
   * Lets a job read a snapshot of its own, which is taken when the job is submitted. It is removed
   * at the end of the job on a cluster. After a local run it is removed when this process takes
   * another one, or ends.
   */
  public static void setTable(Job job, TableName table) throws IOException {
    job.setInputFormatClass(SnapshotInputFormat.class);
    SnapshotSplits.setTable(job.getConfiguration(), table);
    JobJars.add(job.getConfiguration());
  }

  @Override
  public List<InputSplit> getSplits(JobContext context) throws IOException {
    return List.copyOf(SnapshotSplits.plan(context.getConfiguration()));
  }

  @Override
  public RecordReader<ImmutableBytesWritable, Result> createRecordReader(
      InputSplit split, TaskAttemptContext context) {
    return new SplitReader(
        (given, task) ->
            new SnapshotRows(
                (SnapshotSplit) given,
                task.getConfiguration(),
                ReadCounters.Counting.of(task),
                task),
        () -> {});
  }
}
