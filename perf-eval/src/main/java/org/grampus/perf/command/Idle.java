package org.grampus.perf.command;

import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.grampus.compat.suite.target.ServerKind;
import org.grampus.perf.ToolException;
import org.grampus.perf.process.MeasuredServer;
import org.grampus.perf.process.ProcSample;
import org.grampus.perf.process.ServerPlan;
import org.grampus.perf.result.ResultTable;
import org.grampus.perf.result.Run;
import picocli.CommandLine.Command;

/** A standalone server on a fresh directory, left alone. */
@Command(
    name = "idle",
    description = {
      "Resident memory and CPU over 30 s of a server without clients.",
      "Fails above 400 MB or 2 %% of a core."
    })
final class Idle extends MeasuringCommand {
  /** The compilers work off what the start has left them. */
  private static final long QUIET_SECONDS = 20;

  private static final long SECONDS = 30;
  private static final long RSS_MAX_MB = 400;
  private static final double PERCENT_MAX = 2;

  @Override
  protected void measure() throws Exception {
    ProcSample before;
    ProcSample after;
    try (MeasuredServer server =
        MeasuredServer.start(
            checkout(), work().resolve("server"), ServerPlan.of(ServerKind.GRAMPUS))) {
      TimeUnit.SECONDS.sleep(QUIET_SECONDS);
      before = server.sample();
      TimeUnit.SECONDS.sleep(SECONDS);
      after = server.sample();
      server.stop();
    }
    double seconds = (after.cpuMicros() - before.cpuMicros()) / 1e6;
    double percent = 100 * seconds / SECONDS;
    write(
        Map.of("seconds", SECONDS),
        List.of(
            Run.ofFigures(
                "grampus", "idle", Map.of("rssMb", after.rssMb(), "cpuPercent", percent))));
    String found =
        ResultTable.cell(
            "idle server holds %d MB and takes %.1f %% of a core", after.rssMb(), percent);
    if (after.rssMb() > RSS_MAX_MB || percent >= PERCENT_MAX) {
      throw new ToolException(
          found + ResultTable.cell("; the limits are %d MB and %.0f %%", RSS_MAX_MB, PERCENT_MAX));
    }
    System.out.println("checked: " + found);
  }
}
