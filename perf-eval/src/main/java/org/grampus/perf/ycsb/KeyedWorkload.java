package org.grampus.perf.ycsb;

import site.ycsb.workloads.CoreWorkload;

/** YCSB's core workload, which also says what it calls a record. */
final class KeyedWorkload extends CoreWorkload {
  /** The key of the record of a number, once the workload has begun. */
  String key(long number) {
    return buildKeyName(number);
  }
}
