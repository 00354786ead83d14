package org.grampus.perf.compare;

import java.util.List;
import java.util.function.BiPredicate;
import org.grampus.perf.result.ResultTable;

/**
 * What a row has to reach: a number of design section 9.
 *
 * @param text in words, for a table
 * @param condition whether what came of the row reaches it, beside what came of all rows
 */
record Goal(String text, BiPredicate<Verdict, List<Verdict>> condition) {
  private static final int PARQUET_PERCENT = 115;

  /** The server's processor time for an operation, against that of the other server. */
  static Goal cpu(double most) {
    return new Goal(ResultTable.cell("%.2f of the CPU", most), (row, all) -> row.ratio() <= most);
  }

  /** The 99th percentile of the calls' latencies, against that of the other server. */
  static Goal latency() {
    return new Goal(
        "p99 no worse", (row, all) -> row.grampus().p99Micros() <= row.other().p99Micros());
  }

  /** This one and another one. */
  Goal and(Goal other) {
    return new Goal(text + ", " + other.text, condition.and(other.condition));
  }

  /** Bytes of the table's files, against those of a Parquet file, with 15 %. */
  static Goal parquet(long bytes) {
    return new Goal(
        ResultTable.cell("1.15 of Parquet's %d bytes", bytes),
        (row, all) -> row.grampus().diskBytes() * 100 <= bytes * PARQUET_PERCENT);
  }

  /**
   * Throughput without errors, against the best of this row and others.
   *
   * @param others what their names begin with
   */
  static Goal throughput(double least, String others) {
    return new Goal(
        ResultTable.cell("%.2f of the best throughput, no error", least),
        (row, all) ->
            row.grampus().errors() == 0
                && row.grampus().operationsPerSecond() >= least * best(others, all));
  }

  private static double best(String names, List<Verdict> all) {
    return all.stream()
        .filter(verdict -> verdict.row().name().startsWith(names))
        .mapToDouble(verdict -> verdict.grampus().operationsPerSecond())
        .max()
        .orElse(0);
  }
}
