package org.grampus.mapreduce.columns;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.JobID;
import org.apache.hadoop.mapreduce.task.JobContextImpl;
import org.grampus.mapreduce.input.SnapshotSplits;
import org.grampus.mapreduce.input.TableInputFormat;
import org.grampus.mapreduce.settings.ScanSettings;

/** The splits of rows that are read as columns. */
public final class ColumnsSplits {
  private ColumnsSplits() {}

  /** The rows that a job reads, in the order of their keys. */
  public static List<? extends InputSplit> plan(JobContext context, boolean throughServers)
      throws IOException {
    Configuration conf = context.getConfiguration();
    return throughServers ? ofTable(context, conf) : SnapshotSplits.plan(conf);
  }

  /**
   * The rows of a scan, in the order of their keys.
   *
   * @param job leads to the table or snapshot, and is told the scan; its own keys of scans go
   */
  public static List<? extends InputSplit> plan(
      Configuration job, Scan scan, boolean throughServers) throws IOException {
    ScanSettings.setOnlyScan(job, scan);
    return plan(new JobContextImpl(job, new JobID()), throughServers);
  }

  private static List<InputSplit> ofTable(JobContext context, Configuration conf)
      throws IOException {
    conf.setBoolean(TableInputFormat.SHUFFLE_MAPS, false);
    TableInputFormat format = new TableInputFormat();
    format.setConf(conf);
    return format.getSplits(context);
  }
}
