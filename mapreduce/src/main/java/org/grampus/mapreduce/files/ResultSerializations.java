package org.grampus.mapreduce.files;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.mapreduce.ResultSerialization;

/** How sequence files have results. */
public final class ResultSerializations {
  private static final String KEY = "io.serializations";

  private ResultSerializations() {}

  /** A copy of a configuration that knows how results are written. */
  public static Configuration in(Configuration conf) {
    Configuration serializing = new Configuration(conf);
    serializing.setStrings(KEY, conf.get(KEY), ResultSerialization.class.getName());
    return serializing;
  }
}
