package org.grampus.perf.pe.job;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.lib.output.NullOutputFormat;
import org.grampus.mapreduce.input.JobJars;
import org.grampus.mapreduce.input.SnapshotInputFormat;
import org.grampus.mapreduce.input.TableInputFormat;
import org.grampus.mapreduce.keys.JobKeys;
import org.grampus.mapreduce.settings.ScanSettings;
import org.grampus.mapreduce.snapshot.OwnSnapshot;
import org.grampus.perf.pe.client.ClientResult;
import org.grampus.perf.pe.client.RunResult;
import org.grampus.perf.pe.option.CallSettings;
import org.grampus.perf.pe.option.ClientOptions;
import org.grampus.perf.pe.option.PeOptions;
import org.grampus.perf.pe.option.RowPlan;
import org.grampus.perf.pe.option.Share;
import org.grampus.perf.pe.work.SplitScan;
import org.grampus.perf.pe.work.TestClient;

/**
 * A job that scans a table on splits of equal bytes, through the servers or, with {@code --direct},
 * from the table's files. All of its tasks together read the rows that the run asks for.
 */
public final class SplitScanJob {
  private final PeOptions options;
  private final Configuration conf;

  /** The job of a run. */
  public SplitScanJob(PeOptions options, Configuration conf) {
    this.options = options;
    this.conf = new Configuration(conf);
  }

  /**
   * Runs it to its end.
   *
   * @param epochMillis the time that its directory is called after
   * @throws IOException when it cannot begin; what fails later is in the result
   */
  public RunResult run(CallSettings settings, long epochMillis)
      throws IOException, InterruptedException {
    RowPlan plan = RowPlan.of(options);
    Share all = new Share(plan.start(), plan.asked());
    JobTask task = new JobTask(0, all, options.arguments(), settings, Map.of());
    JobDirectory directory = JobDirectory.create(conf, epochMillis, List.of(task.line()));
    Job job = job(task);
    ResultFiles.setDirectory(job.getConfiguration(), directory.results());
    List<String> errors = errors(job, directory);
    List<ClientResult> results = ResultFiles.read(job.getConfiguration());
    return new RunResult(results, plan.asked(), plan.asked(), errors);
  }

  private List<String> errors(Job job, JobDirectory directory)
      throws IOException, InterruptedException {
    if (options.clients().direct()) {
      try (OwnSnapshot snapshot = OwnSnapshot.take(conf, table(), "pe-" + directory.name())) {
        SnapshotInputFormat.setInput(job, snapshot.name());
        snapshot.removeAtEndOf(job.getConfiguration()); // should this process be killed before
        return JobEnd.of(job);
      }
    }
    job.setInputFormatClass(TableInputFormat.class);
    job.getConfiguration().set(TableInputFormat.INPUT_TABLE, options.table().name());
    JobJars.add(job.getConfiguration());
    return JobEnd.of(job);
  }

  private Job job(JobTask task) throws IOException {
    Job job = JobSettings.job(conf, options, options.clientCount());
    job.setMapperClass(ScanMapper.class);
    job.setNumReduceTasks(0);
    job.setOutputFormatClass(NullOutputFormat.class);
    Configuration own = job.getConfiguration();
    own.set(ScanMapper.TASK_KEY, task.line());
    setScan(own, task);
    setSplits(own);
    return job;
  }

  private TableName table() {
    return TableName.valueOf(options.table().name());
  }

  /**
   * The scan counts, whatever the site or the command line say of scans: it was made from these.
   */
  private static void setScan(Configuration own, JobTask task) throws IOException {
    CallSettings.ScanCalls calls = task.settings().scan();
    own.setInt(HConstants.HBASE_CLIENT_SCANNER_CACHING, calls.caching());
    own.setLong(HConstants.HBASE_CLIENT_SCANNER_MAX_RESULT_SIZE_KEY, calls.maxResultBytes());
    own.unset(TableInputFormat.SCAN_CACHEDROWS);
    own.unset(TableInputFormat.SCAN_CACHEBLOCKS);
    Scan scan = SplitScan.of(new TestClient(task.task(), null, null, null), task.share());
    ScanSettings.setOnlyScan(own, scan);
  }

  private void setSplits(Configuration own) {
    ClientOptions clients = options.clients();
    own.unset(JobKeys.SPLITS);
    own.unset(JobKeys.SPLIT_BYTES);
    own.unset(JobKeys.SPLITS_PER_SERVER);
    if (clients.mappersPerServer() > 0) {
      own.setInt(JobKeys.SPLITS_PER_SERVER, clients.mappersPerServer());
    } else {
      own.setInt(JobKeys.SPLITS, options.clientCount());
    }
  }
}
