package org.grampus.perf.fleet;

/**
 * What became of reports of load. One that waits for its turn, or for its answer, is not in it yet.
 *
 * @param taken that the master has answered
 * @param late those of them that were answered when the next one of their server was due already
 * @param missed that no master took
 */
public record ReportCounts(long taken, long late, long missed) {
  /** What has come to these counts since others. */
  ReportCounts since(ReportCounts before) {
    return new ReportCounts(taken - before.taken, late - before.late, missed - before.missed);
  }
}
