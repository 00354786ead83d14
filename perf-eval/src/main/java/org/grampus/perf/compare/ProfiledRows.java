package org.grampus.perf.compare;

import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.grampus.perf.ToolException;
import org.grampus.perf.process.MeasuredServer;
import org.grampus.perf.result.Run;

/** Rows on one server, for a look at where its time goes. For one thread. */
public final class ProfiledRows {
  private static final int COUNTED = 1;

  private final MeasuredServer server;
  private final Bench bench;
  private final Effort effort;

  /** Looks at a server while it runs a row's work. */
  @FunctionalInterface
  public interface Profiler {
    /**
     * Looks at one row.
     *
     * @param work runs it once
     */
    void profile(Row row, Callable<Run> work) throws Exception;
  }

  /**
   * Rows.
   *
   * @param effort says how long a row is warmed up, and how much work it then has
   */
  public ProfiledRows(MeasuredServer server, Bench bench, Effort effort) {
    this.server = server;
    this.bench = bench;
    this.effort = effort;
  }

  /**
   * The rows of these names alone: nothing is compared, so that goals have no reference rows here.
   *
   * @throws ToolException when there is no row of a name, or it cannot be profiled
   */
  public static List<Row> named(List<String> names) throws ToolException {
    List<Row> rows = Catalogue.named(names);
    for (Row row : rows) {
      if (!row.hasServers()) {
        throw new ToolException(row + " cannot be profiled: it is measured without a server");
      }
      if (OverloadRows.has(row)) {
        throw new ToolException(
            row + " cannot be profiled: it wants a server of its own, with less memory than data");
      }
    }
    return rows;
  }

  /** Has rows of servers profiled. Each of their tables is loaded before the first of its rows. */
  public void profile(List<Row> rows, Profiler profiler) throws Exception {
    for (Map.Entry<DataSet, List<Row>> entry : Row.byData(rows).entrySet()) {
      bench.note("loading " + entry.getKey().table());
      entry.getKey().load(server, bench);
      for (Row row : entry.getValue()) {
        profile(row, profiler);
      }
      bench.drop(server, entry.getKey().table());
    }
  }

  private void profile(Row row, Profiler profiler) throws Exception {
    bench.note(row + ": " + row.what());
    Measurement measurement = new Measurement(bench, Schedule.IN_TURN);
    Target target = new ServerTarget(server, bench);
    double micros =
        new WarmUp(row, bench.sizes(), effort)
            .take(operations -> measurement.of(target, row, operations, 0));
    long operations = effort.operations(micros, micros);
    profiler.profile(row, () -> measurement.of(target, row, operations, COUNTED));
  }
}
