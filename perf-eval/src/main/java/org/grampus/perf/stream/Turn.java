package org.grampus.perf.stream;

import org.HdrHistogram.Histogram;

/**
 * One file that was written, but for its first group.
 *
 * @param latencies of its groups, in nanoseconds
 * @param nanos from the first of these groups to the last acknowledgement
 * @param cpu processor time during it, in µs
 */
public record Turn(Histogram latencies, long nanos, CpuMicros cpu) {
  static final double NANOS_PER_SECOND = 1e9;

  long groups() {
    return latencies.getTotalCount();
  }

  double groupsPerSecond() {
    return groups() * NANOS_PER_SECOND / nanos;
  }
}
