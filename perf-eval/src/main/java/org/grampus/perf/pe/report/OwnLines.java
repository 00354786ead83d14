package org.grampus.perf.pe.report;

import java.util.function.Consumer;
import org.grampus.perf.pe.client.RunResult;
import org.grampus.perf.pe.measure.Counts;
import org.grampus.perf.pe.measure.LatencyText;

/** Lines that HBase's class does not have. */
public final class OwnLines {
  private OwnLines() {}

  /** When all clients have ended. */
  public static void summary(RunResult run, Consumer<String> out) {
    Counts counts = run.counts();
    if (run.isPartial()) {
      out.accept("[ Partial ]\t" + run.extent() + "; all figures are of these");
    }
    out.accept(
        "[ Rows ]\tasked: "
            + run.rowsAsked()
            + "\tread or written: "
            + counts.rows().done()
            + "\tmissing: "
            + counts.rows().missing());
    out.accept(
        "[ Wall clock ]\t"
            + counts.operations()
            + " in "
            + run.times().millis()
            + "ms\t"
            + Math.round(run.operationsPerSecond())
            + " row per second from first request to last answer");
    out.accept(
        "[ Ran together ]\t"
            + run.together().clients()
            + " of "
            + run.clients().size()
            + " clients; Avg TPS/QPS adds up what each of these did in a second of its own time");
    out.accept("[ Latency of all clients (us)]\t" + LatencyText.line(run.latencies().service()));
  }
}
