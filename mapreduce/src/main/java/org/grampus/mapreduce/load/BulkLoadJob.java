package org.grampus.mapreduce.load;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.mapreduce.HFileOutputFormat2;
import org.apache.hadoop.mapreduce.Counters;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.grampus.mapreduce.command.JobFailure;
import org.grampus.mapreduce.input.JobJars;

/**
 * A job whose result goes into a table as files instead of as writes. Its mapper emits (row, Put)
 * or (row, KeyValue): {@code ImmutableBytesWritable} keys, and the class of the values is set as
 * the job's map output value class. It has one reducer for each region, which sorts and writes.
 */
public final class BulkLoadJob {
  private BulkLoadJob() {}

  /**
   * Runs a job and loads what it has written.
   *
   * @param job with its input and its mapper; the rest is set here
   * @param output a directory on a file system that the servers share, which must not be there; it
   *     is deleted once all of it is loaded
   * @param verbose whether the job's progress is printed
   * @throws IOException when the job or the load fails; what was written and is not loaded is in
   *     the output directory then
   */
  public static LoadSummary run(
      Job job, Connection connection, TableName table, Path output, boolean verbose)
      throws IOException, InterruptedException, ClassNotFoundException {
    configure(job, connection, table, output);
    if (!job.waitForCompletion(verbose)) {
      throw new IOException("the job " + job.getJobName() + " failed: " + JobFailure.of(job));
    }
    Counters counters = job.getCounters();
    if (counters == null) {
      throw new IOException("the cluster has lost the counters of " + job.getJobID());
    }
    requireAll(job.getConfiguration(), counters, output);
    LoadSummary summary = new ColumnFileLoader(connection, table).load(output);
    FileSystem fs = output.getFileSystem(job.getConfiguration());
    fs.delete(output, true);
    return summary;
  }

  /**
   * Everything that a job needs after its mapper, for a caller that runs and loads it by itself.
   */
  public static void configure(Job job, Connection connection, TableName table, Path output)
      throws IOException {
    try (Table target = connection.getTable(table);
        RegionLocator regions = connection.getRegionLocator(table)) {
      TableDescriptor descriptor = target.getDescriptor();
      // Partitions, reducers, serializations: as for HFiles, which another format writes here.
      HFileOutputFormat2.configureIncrementalLoad(job, descriptor, regions);
      job.setOutputFormatClass(ColumnFileOutputFormat.class);
      LoadedTable.set(job.getConfiguration(), descriptor);
    }
    FileOutputFormat.setOutputPath(job, output);
    JobJars.add(job.getConfiguration());
  }

  /**
   * Looks whether all files of a job are where they will be loaded from. A task on another machine
   * may have written to a disk of its own.
   *
   * @param counters of the job, which has succeeded
   * @param output its directory, of which nothing is loaded yet
   * @throws IOException when other files are there than tasks have completed
   */
  public static void requireAll(Configuration conf, Counters counters, Path output)
      throws IOException {
    FileTotals written = FileTotals.of(counters);
    FileTotals found = FileTotals.below(output, conf);
    if (!found.equals(written)) {
      throw new IOException(
          "the tasks have written "
              + written
              + ", and below "
              + output
              + " there are "
              + found
              + "; nothing is loaded: name a directory that all machines share");
    }
  }
}
