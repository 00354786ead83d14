package org.grampus.perf.compare;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.apache.commons.math3.stat.StatUtils;
import org.grampus.perf.result.Run;

/**
 * What the runs of one row on one server come to. Processor times are of all runs together; what a
 * client measured is the median of its runs.
 *
 * @param runs their number
 * @param operations of all runs
 * @param wallSeconds of all runs, from first request to last answer
 * @param serverCpuSeconds of all runs
 * @param serverMicros processor time of the server for an operation
 * @param clientMicros processor time of the client for an operation, the start of its JVM included;
 *     NaN where it was not measured
 * @param operationsPerSecond as the client says
 * @param p50Micros median latency of a call, in µs; NaN where none was measured
 * @param p99Micros its 99th percentile
 * @param errors operations of all runs that failed
 * @param peakRssMb the most that the server has had in memory until the last of the runs, in MiB
 * @param diskBytes of the table's files after the last run
 */
record Summary(
    int runs,
    long operations,
    double wallSeconds,
    double serverCpuSeconds,
    double serverMicros,
    double clientMicros,
    double operationsPerSecond,
    double p50Micros,
    double p99Micros,
    long errors,
    long peakRssMb,
    long diskBytes) {
  private static final double MICROS = 1e6;

  /** Of at least one run. */
  static Summary of(List<Run> runs) {
    double operations = sum(runs, Run::operations);
    return new Summary(
        runs.size(),
        Math.round(operations),
        sum(runs, run -> figure(run, Measurement.SECONDS)),
        sum(runs, Run::serverCpuSeconds),
        sum(runs, Run::serverCpuSeconds) * MICROS / operations,
        sum(runs, Summary::clientCpuSeconds) * MICROS / operations,
        median(runs, Run::rowsPerSecond),
        median(runs, Run::p50Micros),
        median(runs, Run::p99Micros),
        Math.round(sum(runs, run -> figure(run, Measurement.ERRORS))),
        runs.stream().mapToLong(Run::peakRssMb).max().orElseThrow(),
        runs.get(runs.size() - 1).diskBytes());
  }

  /** For JSON, which has no NaN. */
  Map<String, Object> toMap() {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("runs", runs);
    map.put("operations", operations);
    map.put("wallSeconds", wallSeconds);
    map.put("serverCpuSeconds", serverCpuSeconds);
    map.put("serverMicrosPerOperation", serverMicros);
    if (!Double.isNaN(clientMicros)) {
      map.put("clientMicrosPerOperation", clientMicros);
    }
    map.put("operationsPerSecond", operationsPerSecond);
    if (!Double.isNaN(p50Micros)) {
      map.put("p50Micros", p50Micros);
      map.put("p99Micros", p99Micros);
    }
    map.put("errors", errors);
    map.put("peakRssMb", peakRssMb);
    map.put("tableBytes", diskBytes);
    return map;
  }

  private static double clientCpuSeconds(Run run) {
    return run.clientCpuSeconds() == null ? Double.NaN : run.clientCpuSeconds();
  }

  private static double figure(Run run, String name) {
    return ((Number) run.figures().get(name)).doubleValue();
  }

  private static double sum(List<Run> runs, ToDoubleFunction<Run> figure) {
    return runs.stream().mapToDouble(figure).sum();
  }

  private static double median(List<Run> runs, Function<Run, Double> figure) {
    double[] measured =
        runs.stream()
            .map(figure)
            .filter(Objects::nonNull)
            .mapToDouble(Double::doubleValue)
            .toArray();
    return StatUtils.percentile(measured, 50);
  }
}
