package org.grampus.perf.command;

import java.util.Map;
import org.grampus.perf.result.ResultTable;
import org.grampus.perf.result.Run;

/** The table of all works, by mappers and ways. For one thread. */
final class JobRates {
  private final ResultTable table =
      new ResultTable(
          "work",
          "maps",
          "way",
          "rows/s",
          "of the first",
          "job's fixed seconds",
          "marginal rows/s",
          "client CPU µs/row, start included",
          "server CPU µs/row");

  /**
   * Adds a work.
   *
   * @param counted runs of each way; the first is what the others are compared with
   */
  void add(String work, int maps, Map<JobWay, WayRuns> counted) {
    double first = counted.values().iterator().next().rowsPerSecond();
    counted.forEach(
        (way, of) -> {
          table.row(
              work,
              String.valueOf(maps),
              way.toString(),
              ResultTable.cell("%.0f", of.rowsPerSecond()),
              ResultTable.cell("%.1f", of.rowsPerSecond() / first),
              ResultTable.cell("%.2f", of.fixedSeconds()),
              cell("%.0f", of.marginalRowsPerSecond()),
              cell("%.2f", of.microsPerRow(Run::clientCpuSeconds)),
              cell("%.2f", of.microsPerRow(Run::serverCpuSeconds)));
        });
  }

  /** Empty for null. */
  private static String cell(String format, Double value) {
    return value == null ? "" : ResultTable.cell(format, value);
  }

  @Override
  public String toString() {
    return table.toString();
  }
}
