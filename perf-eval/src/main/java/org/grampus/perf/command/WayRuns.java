package org.grampus.perf.command;

import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.grampus.perf.result.Run;

/**
 * Runs of the same work in the same way. Rows are those of the table that is read, not those that a
 * filter leaves, so that works can be compared.
 *
 * @param fixedSeconds what a job takes that reads next to nothing, from its submission to its end
 * @param runs the counted ones
 */
record WayRuns(double fixedSeconds, List<Run> runs) {
  private static final double MICROS = 1e6;

  /**
   * The rate at which a job of more rows would read those: a job of N rows takes its fixed seconds
   * and N by this rate.
   *
   * @return rows for each second, or null when the job has taken no longer than its fixed seconds
   */
  static Double marginalRate(long rows, double seconds, double fixedSeconds) {
    return seconds > fixedSeconds ? rows / (seconds - fixedSeconds) : null;
  }

  /** Rows of the table for each second of the jobs. */
  double rowsPerSecond() {
    return Run.rowsPerSecondOf(runs);
  }

  /** The {@link #marginalRate} of all of them. */
  Double marginalRowsPerSecond() {
    return marginalRate(rows(), seconds(), fixedSeconds * runs.size());
  }

  /** Null where it was not counted, since others had the processors too. */
  Double microsPerRow(Function<Run, Double> cpuSeconds) {
    if (runs.stream().map(cpuSeconds).anyMatch(Objects::isNull)) {
      return null;
    }
    return runs.stream().mapToDouble(cpuSeconds::apply).sum() * MICROS / rows();
  }

  private long rows() {
    return runs.stream().mapToLong(Run::operations).sum();
  }

  private double seconds() {
    return rows() / rowsPerSecond();
  }
}
