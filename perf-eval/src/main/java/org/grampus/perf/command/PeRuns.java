package org.grampus.perf.command;

import java.util.Map;
import org.grampus.perf.ToolException;
import org.grampus.perf.process.ClientRun;
import org.grampus.perf.result.Run;
import org.grampus.perf.stock.PeOutput;

/** Runs of PerformanceEvaluation as results have them. */
final class PeRuns {
  private static final double NANOS = 1e9;
  private static final double MICROS = 1e6;

  private PeRuns() {}

  /**
   * A run, without memory and disk of its server.
   *
   * @param name of the run
   * @param number of the run among those of this name
   * @param cpuMicros processor time of its servers, in µs
   * @throws ToolException when the client has not said what it did
   */
  static Run of(String server, String name, int number, ClientRun client, double cpuMicros)
      throws ToolException {
    PeOutput said = PeOutput.parse(client.output());
    return new Run(
        server,
        name,
        number,
        said.rows(),
        client.wallNanos() / NANOS,
        said.rowsPerSecond(),
        cpuMicros / MICROS,
        cpuMicros / said.rows(),
        client.cpuMicros() / MICROS,
        positive(said.p50Micros()),
        positive(said.p99Micros()),
        null,
        null,
        Map.of());
  }

  /** A latency; null, which is none, for the 0 of a test that measures none. */
  private static Double positive(double measured) {
    return measured > 0 ? measured : null;
  }
}
