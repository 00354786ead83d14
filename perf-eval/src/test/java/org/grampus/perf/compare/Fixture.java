package org.grampus.perf.compare;

import java.util.Map;
import java.util.Optional;
import org.grampus.perf.result.Run;

/** Rows and runs with figures that are easy to reckon with. */
final class Fixture {
  private Fixture() {}

  /** A row of servers with another name and goal, or none. */
  static Row row(String name, Goal goal) {
    Row any = CallRows.writes().get(0);
    return new Row(
        name,
        name + " in words",
        any.data(),
        any.work(),
        any.aftermath(),
        Optional.ofNullable(goal));
  }

  /** A row whose processor time does not count. */
  static Row untimed(String name, Goal goal) {
    Row any = row(name, goal);
    return new Row(
        name, any.what(), any.data(), any.work(), Row.Aftermath.MEASURED_ONCE, any.goal());
  }

  /** A run of 1,000 operations that take {@code micros} of the server's processor time each. */
  static Run run(String server, String row, int round, double micros) {
    return run(server, row, round, micros, 5_000.0, 0L);
  }

  /** The same with another throughput and errors. */
  static Run run(
      String server, String row, int round, double micros, double perSecond, long errors) {
    return new Run(
        server,
        row,
        1,
        1_000L,
        1.0,
        perSecond,
        micros / 1000,
        micros,
        0.002,
        30.0,
        40.0,
        300L,
        2L << 20,
        Map.of(
            Comparison.ROUND,
            round,
            Measurement.SECONDS,
            0.2,
            Measurement.ERRORS,
            errors,
            Measurement.FOUND,
            0L,
            Measurement.CLIENT_MICROS,
            2.0));
  }

  /** The same run with another median. */
  static Run p50(Run run, double micros) {
    return latencies(run, micros, run.p99Micros());
  }

  /** The same run with another 99th percentile. */
  static Run p99(Run run, double micros) {
    return latencies(run, run.p50Micros(), micros);
  }

  private static Run latencies(Run run, double p50Micros, double p99Micros) {
    return new Run(
        run.server(),
        run.workload(),
        run.number(),
        run.operations(),
        run.wallSeconds(),
        run.rowsPerSecond(),
        run.serverCpuSeconds(),
        run.serverMicrosPerOperation(),
        run.clientCpuSeconds(),
        p50Micros,
        p99Micros,
        run.peakRssMb(),
        run.diskBytes(),
        run.figures());
  }
}
