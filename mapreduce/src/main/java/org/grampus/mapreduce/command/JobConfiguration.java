package org.grampus.mapreduce.command;

import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.mapreduce.MRConfig;

/** What the job of a command is configured with. */
public final class JobConfiguration {
  /** How many maps Hadoop's local runner runs at a time. */
  private static final String LOCAL_MAPS_KEY = "mapreduce.local.map.tasks.maximum";

  /** How often a task says how far it is; otherwise, some seconds. */
  private static final String REPORT_KEY = "mapreduce.task.progress-report.interval";

  /** Bytes of this process's heap for each of the maps that run at a time. */
  private static final long HEAP_BYTES_PER_MAP = 256L << 20;

  private static final int REPORT_MILLIS = 500;

  private JobConfiguration() {}

  /**
   * The configuration of the site, and what the command's user says.
   *
   * @param overrides keys that go before those of the site
   * @param onYarn whether the job runs on the cluster that mapred-site.xml describes, and not in
   *     this process
   */
  public static Configuration of(Map<String, String> overrides, boolean onYarn) {
    Configuration conf = HBaseConfiguration.create();
    Overrides.apply(overrides, conf);
    InstallationRoot.applyTo(conf);
    if (!onYarn) {
      conf.set(MRConfig.FRAMEWORK_NAME, MRConfig.LOCAL_FRAMEWORK_NAME);
      Runtime process = Runtime.getRuntime();
      long roomy = process.maxMemory() / HEAP_BYTES_PER_MAP;
      long processors = Math.max(1, Math.min(process.availableProcessors(), roomy));
      conf.setIfUnset(LOCAL_MAPS_KEY, String.valueOf(processors));
      conf.setIfUnset(REPORT_KEY, String.valueOf(REPORT_MILLIS));
    }
    return conf;
  }

  /** Whether Hadoop's local runner runs the tasks: it begins all, also after one has failed. */
  public static boolean isLocal(Configuration conf) {
    return MRConfig.LOCAL_FRAMEWORK_NAME.equals(
        conf.get(MRConfig.FRAMEWORK_NAME, MRConfig.LOCAL_FRAMEWORK_NAME));
  }
}
