package org.grampus.mapreduce.load;

import java.io.IOException;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.mapreduce.HFileOutputFormat2;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
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
      throw new IOException(
          "the job " + job.getJobName() + " failed: " + job.getStatus().getFailureInfo());
    }
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
}
