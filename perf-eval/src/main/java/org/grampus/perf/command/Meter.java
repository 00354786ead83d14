package org.grampus.perf.command;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.grampus.perf.ToolException;
import org.grampus.perf.process.ClientRun;
import org.grampus.perf.process.MajorCompact;
import org.grampus.perf.process.MeasuredServer;
import org.grampus.perf.process.ProcSample;
import org.grampus.perf.result.Run;

/** Runs work on a server and counts what it took. For one thread. */
final class Meter {
  private final Path log;
  private final boolean awaitsIdle;

  /**
   * A meter.
   *
   * @param log where the output of clients goes, each replacing that of the one before
   * @param awaitsIdle whether work that a client leaves to the server is awaited and counted
   */
  Meter(Path log, boolean awaitsIdle) {
    this.log = log;
    this.awaitsIdle = awaitsIdle;
  }

  /** A run that is not counted. */
  void work(MeasuredServer server, List<String> arguments)
      throws ToolException, IOException, InterruptedException {
    server.client(arguments).run(log);
    awaitIdle(server);
  }

  /**
   * A counted run of PerformanceEvaluation.
   *
   * @param name of the run
   * @param arguments of {@code bin/grampus}
   * @param number of the run among those of this name
   */
  Run measure(MeasuredServer server, String name, List<String> arguments, int number)
      throws ToolException, IOException, InterruptedException {
    long before = server.sample().cpuMicros();
    ClientRun client = server.client(arguments).run(log);
    awaitIdle(server);
    ProcSample after = server.sample();
    double cpuMicros = after.cpuMicros() - before;
    return PeRuns.of(server.toString(), name, number, client, cpuMicros)
        .memoryAndDisk(after.peakRssMb(), server.diskBytes());
  }

  /** Major-compacts a table. */
  void compact(MeasuredServer server, String table)
      throws ToolException, IOException, InterruptedException {
    MajorCompact.compact(server.clientConfiguration(), TableName.valueOf(table));
    awaitIdle(server);
  }

  private void awaitIdle(MeasuredServer server) throws ToolException, InterruptedException {
    if (awaitsIdle) {
      server.awaitIdle();
    }
  }
}
