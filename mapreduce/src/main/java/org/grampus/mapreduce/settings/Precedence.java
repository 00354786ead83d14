package org.grampus.mapreduce.settings;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.mapreduce.TableInputFormat;

/**
 * Which of a job's keys go before its Scan.
 *
 * @param conf the job's
 */
record Precedence(Configuration conf) {
  boolean hasScan() {
    return conf.get(TableInputFormat.SCAN) != null;
  }

  Origin of(String key) {
    return Origin.of(conf, key);
  }

  Origin ofScan() {
    return hasScan() ? Origin.SCAN : Origin.DEFAULT;
  }

  /** Whether a key goes before the Scan. */
  boolean wins(String key) {
    Origin origin = of(key);
    return origin != Origin.DEFAULT && origin.compareTo(ofScan()) < 0;
  }

  /** Where a setting comes from that some keys and the Scan can have. */
  Origin first(String... keys) {
    Origin first = ofScan();
    for (String key : keys) {
      Origin origin = of(key);
      first = origin.compareTo(first) < 0 ? origin : first;
    }
    return first;
  }

  /** Whether a client's key goes before the job's key of the same meaning, and before the Scan. */
  boolean clientWins(String clientKey, String jobKey) {
    return of(clientKey) == Origin.COMMAND_LINE && of(jobKey) != Origin.COMMAND_LINE;
  }
}
