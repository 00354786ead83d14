package org.grampus.mapreduce.settings;

import java.util.Locale;
import org.apache.hadoop.conf.Configuration;

/** Where a setting comes from; an earlier constant takes precedence over a later one. */
public enum Origin {
  /** {@code -Dkey=value}. */
  COMMAND_LINE,
  /** A key that the job's program has set. */
  JOB,
  /** The Scan object that the job was given. */
  SCAN,
  /** A file of the installation, such as hbase-site.xml and hbase-default.xml. */
  SITE,
  /** No setting was given. */
  DEFAULT;

  /** How Hadoop's GenericOptionsParser marks its keys; the mark travels with the job. */
  public static final String COMMAND_LINE_MARK = "from command line";

  /** Where a key's value comes from; {@link #DEFAULT} when it has none. */
  static Origin of(Configuration conf, String key) {
    if (conf.get(key) == null) {
      return DEFAULT;
    }
    String[] sources = conf.getPropertySources(key);
    if (sources == null || sources.length == 0) {
      return JOB;
    }
    // Later entries say through which files the value has passed.
    if (sources[0].equals(COMMAND_LINE_MARK)) {
      return COMMAND_LINE;
    }
    return isOfInstallation(sources[0]) ? SITE : JOB;
  }

  /** Other files are given to the job, as by {@code -conf}, or are the job's own. */
  private static boolean isOfInstallation(String file) {
    return file.endsWith("-site.xml") || file.endsWith("-default.xml");
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
