package org.grampus.perf.compare;

import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
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
   * Has rows profiled, but for those that have no server. Each of their tables is loaded before the
   * first of its rows.
   */
  public void profile(List<Row> rows, Profiler profiler) throws Exception {
    List<Row> ofServer = rows.stream().filter(Row::hasServers).toList();
    for (Map.Entry<DataSet, List<Row>> entry : Row.byData(ofServer).entrySet()) {
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
    Measurement measurement = new Measurement(bench);
    Target target = new ServerTarget(server, bench);
    double micros =
        new WarmUp(row, bench.sizes(), effort)
            .take(operations -> measurement.of(target, row, operations, 0));
    long operations = effort.operations(micros, micros);
    profiler.profile(row, () -> measurement.of(target, row, operations, COUNTED));
  }
}
