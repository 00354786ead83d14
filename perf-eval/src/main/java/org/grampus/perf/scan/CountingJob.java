package org.grampus.perf.scan;

import java.util.List;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.ParseFilter;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.mapreduce.Counters;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.MRConfig;
import org.apache.hadoop.mapreduce.lib.output.NullOutputFormat;
import org.grampus.mapreduce.keys.JobKeys;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** A MapReduce job that reads a table or a snapshot and counts; Hadoop's local runner runs it. */
@Command(name = "counting-job", mixinStandardHelpOptions = true)
public final class CountingJob implements Callable<Integer> {
  /** Where HBase's format over a snapshot puts its links: below the temporary directory. */
  static final String RESTORE_DIRECTORY_KEY = "grampus.perf.restore.directory";

  private static final String LOCAL_MAPS_KEY = "mapreduce.local.map.tasks.maximum";
  private static final String POLL_KEY = "mapreduce.client.completion.pollinterval";
  private static final int POLL_MILLIS = 20;

  @Option(names = "--reader", required = true, description = "${COMPLETION-CANDIDATES}")
  private Reader reader;

  @Option(names = "--mappers", required = true, description = "Maps that run at a time.")
  private int mappers;

  @Option(
      names = "--splits",
      required = true,
      description = "Splits of Grampus's formats; HBase's have one for each region.")
  private int splits;

  @Option(names = "--columns", split = ",", description = "F:Q,...; default: all")
  private List<String> columns = List.of();

  @Option(names = "--filter", description = "In HBase's filter language.")
  private String filter;

  @Option(names = "--restore-directory", description = "An empty directory for HBase's links.")
  private String restoreDirectory;

  @Parameters(paramLabel = "TABLE|SNAPSHOT")
  private String input;

  /** Runs it; prints a line that {@link JobOutput} reads. */
  public static void main(String[] args) {
    System.exit(
        new CommandLine(new CountingJob()).setCaseInsensitiveEnumValuesAllowed(true).execute(args));
  }

  @Override
  public Integer call() throws Exception {
    long begun = System.nanoTime(); // some formats look things up before a job is submitted
    Job job = Job.getInstance(configuration(), "scan");
    reader.configure(job, input, scan());
    job.setJarByClass(CountingJob.class);
    job.setNumReduceTasks(0);
    job.setOutputFormatClass(NullOutputFormat.class);
    if (!job.waitForCompletion(false)) {
      System.err.println("grampus: the job has failed: " + job.getStatus().getFailureInfo());
      return CommandLine.ExitCode.SOFTWARE;
    }
    Counters counters = job.getCounters();
    System.out.println(
        new JobOutput(
            counters.findCounter(CountingMapper.Counted.ROWS).getValue(),
            counters.findCounter(CountingMapper.Counted.CELLS).getValue(),
            counters.findCounter(CountingMapper.Counted.VALUE_BYTES).getValue(),
            (System.nanoTime() - begun) / 1_000_000));
    return CommandLine.ExitCode.OK;
  }

  private Configuration configuration() {
    Configuration conf = HBaseConfiguration.create();
    conf.set(MRConfig.FRAMEWORK_NAME, MRConfig.LOCAL_FRAMEWORK_NAME);
    conf.setInt(LOCAL_MAPS_KEY, mappers);
    conf.setInt(POLL_KEY, POLL_MILLIS); // 5 s otherwise, which a job of 6 s would count as 10
    conf.setInt(JobKeys.SPLITS, splits);
    if (restoreDirectory != null) {
      conf.set(RESTORE_DIRECTORY_KEY, restoreDirectory);
    }
    return conf;
  }

  /** As HBase's guide has it for jobs: a reply of 2 MiB for each call, and no use of the cache. */
  private Scan scan() throws Exception {
    Scan scan = new Scan().setCacheBlocks(false);
    for (String column : columns) {
      byte[][] parts = CellUtil.parseColumn(Bytes.toBytes(column));
      scan.addColumn(parts[0], parts[1]);
    }
    if (filter != null) {
      scan.setFilter(new ParseFilter().parseFilterString(filter));
    }
    return scan;
  }
}
