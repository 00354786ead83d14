package org.grampus.perf.pe.job;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.mapreduce.TableMapReduceUtil;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.lib.input.NLineInputFormat;
import org.apache.hadoop.mapreduce.lib.output.TextOutputFormat;
import org.apache.hadoop.mapreduce.lib.reduce.LongSumReducer;
import org.grampus.perf.pe.client.ClientResult;
import org.grampus.perf.pe.client.CommandProperties;
import org.grampus.perf.pe.client.RunResult;
import org.grampus.perf.pe.option.CallSettings;
import org.grampus.perf.pe.option.PeOptions;
import org.grampus.perf.pe.option.RowPlan;
import org.slf4j.Logger;

/** A job with a map task for each client. */
public final class ClientJob {
  private final PeOptions options;
  private final Configuration conf;
  private final Logger log;

  /**
   * The job of a run.
   *
   * @param log takes what is said of it
   */
  public ClientJob(PeOptions options, Configuration conf, Logger log) {
    this.options = options;
    this.conf = new Configuration(conf);
    this.log = log;
  }

  /**
   * Runs it to its end.
   *
   * @param epochMillis the time that its directory is called after
   * @throws IOException when it cannot begin; what fails later is in the result
   */
  public RunResult run(CallSettings settings, long epochMillis)
      throws IOException, InterruptedException {
    JobDirectory directory = JobDirectory.create(conf, epochMillis, lines(settings));
    Job job = job(directory);
    List<String> errors = new ArrayList<>(JobEnd.of(job));
    List<ClientResult> results = ResultFiles.read(job.getConfiguration());
    if (results.size() != options.clientCount()) {
      errors.add(results.size() + " of " + options.clientCount() + " clients have left a result");
    }
    return RunResult.of(options, results, errors);
  }

  private List<String> lines(CallSettings settings) throws IOException {
    Map<String, String> properties = new TreeMap<>();
    CommandProperties.of(options)
        .forEach((key, value) -> properties.put((String) key, (String) value));
    RowPlan plan = RowPlan.of(options);
    List<String> lines = new ArrayList<>();
    for (int client = 0; client < options.clientCount(); client++) {
      JobTask task =
          new JobTask(client, plan.share(client), options.arguments(), settings, properties);
      String line = task.line();
      log.info("Client={}, input={}", client, line);
      lines.add(line);
    }
    return lines;
  }

  private Job job(JobDirectory directory) throws IOException {
    Job job = JobSettings.job(conf, options, options.clientCount());
    ResultFiles.setDirectory(job.getConfiguration(), directory.results());
    job.setInputFormatClass(NLineInputFormat.class);
    NLineInputFormat.setInputPaths(job, directory.inputs());
    NLineInputFormat.setNumLinesPerSplit(job, 1);
    job.setMapperClass(ClientMapper.class);
    job.setReducerClass(LongSumReducer.class);
    job.setNumReduceTasks(1);
    job.setOutputKeyClass(LongWritable.class);
    job.setOutputValueClass(LongWritable.class);
    job.setOutputFormatClass(TextOutputFormat.class);
    TextOutputFormat.setOutputPath(job, directory.outputs());
    TableMapReduceUtil.addDependencyJars(job);
    return job;
  }
}
