package org.grampus.perf.compare;

import java.io.IOException;
import java.util.List;
import org.grampus.perf.ToolException;
import org.grampus.perf.process.ClientRun;
import org.grampus.perf.process.MeasuredServer;
import org.grampus.perf.process.ProcSample;

/** A server, of two that are compared or alone. */
record ServerTarget(MeasuredServer server, Bench bench) implements Target {
  @Override
  public ProcSample sample() throws ToolException {
    return server.sample();
  }

  @Override
  public ClientRun run(List<String> arguments)
      throws ToolException, IOException, InterruptedException {
    return bench.run(server, arguments);
  }

  @Override
  public void awaitAftermath(Row row) throws ToolException, IOException, InterruptedException {
    switch (row.aftermath()) {
      case NONE, MEASURED_ONCE -> {}
      case BACKGROUND_WORK -> server.awaitIdle();
      case FLUSHED -> {
        bench.flush(server, row.table());
        server.awaitIdle();
      }
    }
  }

  @Override
  public long tableBytes(Row row) throws IOException {
    return server.tableBytes(row.table());
  }

  @Override
  public String toString() {
    return server.toString();
  }
}
