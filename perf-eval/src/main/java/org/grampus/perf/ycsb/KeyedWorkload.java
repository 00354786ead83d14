package org.grampus.perf.ycsb;

import java.util.Properties;
import site.ycsb.WorkloadException;
import site.ycsb.measurements.Measurements;
import site.ycsb.workloads.CoreWorkload;

/** YCSB's core workload, which also says what it calls a record. */
final class KeyedWorkload extends CoreWorkload {
  private KeyedWorkload() {}

  /** A workload that has begun. */
  static KeyedWorkload begin(Properties properties) throws WorkloadException {
    Measurements.setProperties(properties); // which the constructor asks for
    KeyedWorkload workload = new KeyedWorkload();
    workload.init(properties);
    return workload;
  }

  /** The key of the record of a number. */
  String key(long number) {
    return buildKeyName(number);
  }
}
