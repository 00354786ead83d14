package org.grampus.perf.compare;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.grampus.perf.ToolException;
import org.grampus.perf.client.ClientFigures;
import org.grampus.perf.process.ClientRun;
import org.grampus.perf.process.ProcSample;
import org.grampus.perf.result.Run;

/** Runs a row's client on a process, and counts what the two took. For one thread a process. */
final class Measurement {
  /** Processor time of the client for an operation, in µs, the start of its JVM included. */
  static final String CLIENT_MICROS = "clientMicrosPerOperation";

  /** Rows that came back. */
  static final String FOUND = "rowsFound";

  /** Operations that failed. */
  static final String ERRORS = "errors";

  /** Seconds from the first request to the last answer. */
  static final String SECONDS = "requestSeconds";

  private static final double NANOS = 1e9;
  private static final double MICROS = 1e6;

  private final Bench bench;
  private final Schedule schedule;

  /** Where clients run at once their processor time is not measured. */
  Measurement(Bench bench, Schedule schedule) {
    this.bench = bench;
    this.schedule = schedule;
  }

  /**
   * A run.
   *
   * @param operations about how many there are
   * @param number of the run among those that count, from 1
   * @throws ToolException when the client fails, or an operation did
   */
  Run of(Target target, Row row, long operations, int number)
      throws ToolException, IOException, InterruptedException {
    Path report = bench.newPath();
    long before = target.sample().cpuMicros();
    ClientRun client = target.run(row.work().arguments(bench.sizes(), operations, report));
    target.awaitAftermath(row);
    ProcSample after = target.sample();
    ClientFigures said = row.work().figures(client, report);
    long micros = micros(said, after.cpuMicros() - before);
    return run(target, row, number, client, said, micros, after.peakRssMb());
  }

  /** A client that has looked itself has left out what its connections took. */
  private static long micros(ClientFigures said, long counted) {
    return said.serverCpuMicros() == null ? counted : said.serverCpuMicros();
  }

  private Run run(
      Target target,
      Row row,
      int number,
      ClientRun client,
      ClientFigures said,
      long cpuMicros,
      long peakRssMb)
      throws IOException {
    return new Run(
        target.toString(),
        row.name(),
        number,
        said.operations(),
        client.wallNanos() / NANOS,
        said.operationsPerSecond(),
        cpuMicros / MICROS,
        (double) cpuMicros / said.operations(),
        isClientMeasured() ? client.cpuMicros() / MICROS : null,
        said.p50Micros(),
        said.p99Micros(),
        peakRssMb,
        target.tableBytes(row),
        figures(client, said));
  }

  private boolean isClientMeasured() {
    return schedule != Schedule.AT_ONCE;
  }

  private Map<String, Object> figures(ClientRun client, ClientFigures said) {
    Map<String, Object> figures = new LinkedHashMap<>();
    if (isClientMeasured()) {
      figures.put(CLIENT_MICROS, (double) client.cpuMicros() / said.operations());
    }
    figures.put(SECONDS, said.seconds());
    figures.put(FOUND, said.found());
    figures.put(ERRORS, said.errors());
    return figures;
  }
}
