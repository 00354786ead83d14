package org.grampus.mapreduce.mapred;

import java.io.IOException;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.hadoop.mapred.InputFormat;
import org.apache.hadoop.mapred.InputSplit;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.RecordReader;
import org.apache.hadoop.mapred.Reporter;
import org.grampus.mapreduce.input.JobJars;
import org.grampus.mapreduce.input.SnapshotRows;
import org.grampus.mapreduce.input.SnapshotSplit;
import org.grampus.mapreduce.input.SnapshotSplits;

/** {@link org.grampus.mapreduce.input.SnapshotInputFormat} for the old API. */
public class SnapshotInputFormat implements InputFormat<ImmutableBytesWritable, Result> {
  /** For the framework. */
  public SnapshotInputFormat() {}

  /** Lets a job read a snapshot through this format, with the jars that its tasks need. */
  public static void setInput(JobConf job, String snapshot) throws IOException {
    job.setInputFormat(SnapshotInputFormat.class);
    SnapshotSplits.setSnapshot(job, snapshot);
    JobJars.add(job);
  }

  /** The same for callers of HBase's method of this name; the directory is not used. */
  public static void setInput(JobConf job, String snapshot, Path restoreDir) throws IOException {
    setInput(job, snapshot);
  }

  /** Lets a job read a snapshot of its own, which is taken when the job is submitted. */
  public static void setTable(JobConf job, TableName table) throws IOException {
    job.setInputFormat(SnapshotInputFormat.class);
    SnapshotSplits.setTable(job, table);
    JobJars.add(job);
  }

  @Override
  public InputSplit[] getSplits(JobConf job, int splitsHint) throws IOException {
    return SnapshotSplits.plan(job).toArray(new InputSplit[0]);
  }

  @Override
  public RecordReader<ImmutableBytesWritable, Result> getRecordReader(
      InputSplit split, JobConf job, Reporter reporter) throws IOException {
    SnapshotRows rows =
        new SnapshotRows((SnapshotSplit) split, job, reporter::incrCounter, reporter);
    return new ResultReader(rows, () -> {});
  }
}
