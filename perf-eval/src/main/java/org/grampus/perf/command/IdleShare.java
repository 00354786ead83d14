package org.grampus.perf.command;

import java.util.LinkedHashMap;
import java.util.Map;
import org.grampus.perf.process.ProcSample;
import org.grampus.perf.result.ResultTable;
import org.grampus.perf.result.Run;

/**
 * What a server without clients takes.
 *
 * @param rssMb memory at the end, in MiB
 * @param percent of a core
 */
record IdleShare(long rssMb, double percent) {
  private static final long RSS_MAX_MB = 400;
  private static final double PERCENT_MAX = 2;

  /** What the metrics of a server may take where they are looked at. */
  private static final double METRICS_PERCENT_MAX = 1;

  private static final double MICROS = 1e6;

  /** Between two samples of its process. */
  static IdleShare of(ProcSample before, ProcSample after, long seconds) {
    return new IdleShare(
        after.rssMb(), 100 * (after.cpuMicros() - before.cpuMicros()) / MICROS / seconds);
  }

  /** Whether a server without regions of its own may take it. */
  boolean isWithinLimits() {
    return rssMb <= RSS_MAX_MB && percent < PERCENT_MAX;
  }

  /**
   * Whether a server whose metrics are looked at may take it.
   *
   * @param alone what the same server takes when they are not: chores of the embedded master and
   *     reports to it grow with the regions
   */
  boolean isWithinLimits(IdleShare alone) {
    return beyond(alone) < METRICS_PERCENT_MAX;
  }

  /** Percent of a core more than another. */
  double beyond(IdleShare alone) {
    return percent - alone.percent;
  }

  /** The limits of a server without regions of its own. */
  static String limits() {
    return ResultTable.cell("; the limits are %d MB and %.0f %%", RSS_MAX_MB, PERCENT_MAX);
  }

  /** The limit of a server whose metrics are looked at. */
  static String limitOfMetrics() {
    return ResultTable.cell("; the limit is %.0f %% for metrics", METRICS_PERCENT_MAX);
  }

  /** For JSON. */
  Run run(String workload) {
    Map<String, Object> figures = new LinkedHashMap<>();
    figures.put("rssMb", rssMb);
    figures.put("cpuPercent", percent);
    return Run.ofFigures("grampus", workload, figures);
  }
}
