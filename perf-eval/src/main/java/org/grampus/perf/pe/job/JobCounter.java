package org.grampus.perf.pe.job;

/** Counters of a job, with the names that HBase's class shows. */
public enum JobCounter {
  /** Milliseconds of all clients. */
  ELAPSED_TIME,
  /** Rows that all clients have read or written. */
  ROWS
}
