package org.grampus.perf.pe.job;

import com.google.gson.Gson;
import java.io.IOException;
import org.HdrHistogram.Histogram;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.filter.FilterAllFilter;
import org.apache.hadoop.hbase.mapreduce.TableMapReduceUtil;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.grampus.engine.RecordAdapters;
import org.grampus.perf.pe.option.Command;
import org.grampus.perf.pe.option.PeOptions;
import org.grampus.perf.pe.work.RowTestFactory;
import picocli.CommandLine;

/** What all jobs of the tool have in common. */
final class JobSettings {
  private static final String LOCAL_MAPS_KEY = "mapreduce.local.map.tasks.maximum";

  private static final int ALL_PERCENT = 100;

  private JobSettings() {}

  /**
   * A job whose tasks run once: one that is tried again, or twice at the same time, would write and
   * count twice. When one fails, the others go on to their ends: Hadoop would kill them with what
   * they have measured. The jars of the tool, and that of the user's class, travel with it.
   *
   * @param clients tasks that Hadoop's local runner runs at a time, unless a number is set
   */
  static Job job(Configuration conf, PeOptions options, int clients) throws IOException {
    Job job = Job.getInstance(conf);
    job.setJarByClass(JobSettings.class);
    job.setJobName("HBase Performance Evaluation - " + options.name());
    Configuration own = job.getConfiguration();
    own.setInt(MRJobConfig.MAP_MAX_ATTEMPTS, 1);
    own.setInt(MRJobConfig.MR_AM_MAX_ATTEMPTS, 1); // another one would run tasks again
    own.setInt(MRJobConfig.MAP_FAILURES_MAX_PERCENT, ALL_PERCENT);
    own.setBoolean(MRJobConfig.MAP_SPECULATIVE, false);
    own.setBoolean(MRJobConfig.REDUCE_SPECULATIVE, false);
    own.setIfUnset(LOCAL_MAPS_KEY, String.valueOf(clients));
    TableMapReduceUtil.addHBaseDependencyJars(own);
    TableMapReduceUtil.addDependencyJarsForClasses(
        own,
        JobSettings.class,
        Histogram.class,
        Gson.class,
        RecordAdapters.class,
        CommandLine.class,
        FilterAllFilter.class);
    if (options.command() == Command.CUSTOM) {
      TableMapReduceUtil.addDependencyJarsForClasses(own, RowTestFactory.classOf(options.name()));
    }
    TableMapReduceUtil.initCredentials(job);
    return job;
  }
}
