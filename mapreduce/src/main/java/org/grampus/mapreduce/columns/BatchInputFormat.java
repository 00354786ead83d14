package org.grampus.mapreduce.columns;

import java.io.IOException;
import java.util.List;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapreduce.InputFormat;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.grampus.mapreduce.input.ArrowJars;
import org.grampus.mapreduce.input.JobJars;
import org.grampus.mapreduce.input.SnapshotSplits;
import org.grampus.mapreduce.keys.HBaseKeys;
import org.grampus.mapreduce.keys.JobKeys;
import org.grampus.mapreduce.settings.ReaderKind;
import org.grampus.mapreduce.settings.ScanSettings;
import org.grampus.mapreduce.snapshot.Snapshot;

/**
 * The rows of a snapshot as batches of typed columns, which the engine makes of its files: each
 * value of a mapper is some thousand rows as Arrow's vectors. They are the mapper's until it asks
 * for the next value. Which rows there are say the keys and the Scan of {@link
 * org.grampus.mapreduce.input.SnapshotInputFormat}. Needs Arrow's Java library on the class path,
 * as {@link ArrowBatches} does.
 */
public class BatchInputFormat extends InputFormat<NullWritable, VectorSchemaRoot> {
  /** For the framework. */
  public BatchInputFormat() {}

  /**
   * Lets a job read a snapshot through this format, with the jars that its tasks need.
   *
   * @param mapping the columns; null = those that the files have, as bytes
   */
  public static void setInput(Job job, String snapshot, String mapping) throws IOException {
    SnapshotSplits.setSnapshot(job.getConfiguration(), snapshot);
    set(job, mapping);
  }

  /**
   * Lets a job read a snapshot of its own, which is taken when the job is submitted. It is removed
   * at the end of the job on a cluster. After a local run it is removed when this process takes
   * another one, or ends.
   *
   * @param mapping the columns; null = those that the files have, as bytes
   */
  public static void setTable(Job job, TableName table, String mapping) throws IOException {
    SnapshotSplits.setTable(job.getConfiguration(), table);
    set(job, mapping);
  }

  private static void set(Job job, String mapping) throws IOException {
    job.setInputFormatClass(BatchInputFormat.class);
    Configuration conf = job.getConfiguration();
    if (mapping == null) {
      conf.unset(JobKeys.BATCHES_COLUMNS); // of a job that this configuration was made for
    } else {
      conf.set(JobKeys.BATCHES_COLUMNS, mapping);
    }
    JobJars.add(conf);
    ArrowJars.add(conf);
  }

  /**
   * Plans the job, whose configuration is told the columns and the scan that has them.
   *
   * @throws IllegalArgumentException for a mapping or a scan that cannot be
   */
  @Override
  public List<InputSplit> getSplits(JobContext context) throws IOException {
    return List.copyOf(
        SnapshotSplits.plan(
            context.getConfiguration(), ReaderKind.BATCHES, BatchInputFormat::prepare));
  }

  private static void prepare(Configuration job, Snapshot snapshot) throws IOException {
    if (mapping(job) == null) {
      job.set(JobKeys.BATCHES_COLUMNS, FoundColumns.mapping(job, snapshot));
    }
    setScan(job);
  }

  /**
   * The configuration of a task, which reads by it. What planned the job may have told a copy of
   * the job's configuration alone what it has found, as MultipleInputs does.
   *
   * @throws IOException when the columns were to be found in the files, and only the copy knows
   */
  static Configuration ofTask(Configuration task) throws IOException {
    if (mapping(task) == null) {
      throw new IOException(
          "the task does not know the columns that were found when the job was planned; set "
              + JobKeys.BATCHES_COLUMNS);
    }
    Configuration own = new Configuration(task);
    setScan(own);
    return own;
  }

  private static void setScan(Configuration job) throws IOException {
    if (job.getInt(HBaseKeys.ROW_LIMIT, 0) > 0) {
      throw new IllegalArgumentException(
          HBaseKeys.ROW_LIMIT + " cannot be: batches have all rows of a split");
    }
    Scan scan = MappedScan.of(ScanSettings.of(job, ReaderKind.BATCHES).scan(), mapping(job));
    if (scan.isReversed()) {
      throw new IllegalArgumentException("batches have rows in their order; the scan is reversed");
    }
    ScanSettings.setOnlyScan(job, scan);
  }

  /** As it was set: a name may have a <code>${</code> of its own. */
  static String mapping(Configuration job) {
    return job.getRaw(JobKeys.BATCHES_COLUMNS);
  }

  @Override
  public RecordReader<NullWritable, VectorSchemaRoot> createRecordReader(
      InputSplit split, TaskAttemptContext context) {
    return new BatchReader();
  }
}
