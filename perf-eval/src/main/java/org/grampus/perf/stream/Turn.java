package org.grampus.perf.stream;

import org.HdrHistogram.Histogram;

/**
 * One file that was written.
 *
 * @param latencies of its groups, in nanoseconds
 * @param nanos from the first group to the last acknowledgement
 * @param cpu meanwhile
 */
public record Turn(Histogram latencies, long nanos, CpuMicros cpu) {
  private static final double SECOND = 1e9;

  long groups() {
    return latencies.getTotalCount();
  }

  double groupsPerSecond() {
    return groups() * SECOND / nanos;
  }
}
