package org.grampus.perf.compare;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.grampus.perf.client.ClientFigures;
import org.grampus.perf.client.SteadyGets;
import org.grampus.perf.process.ClientRun;

/**
 * Gets by clients that have connected.
 *
 * @param table whose rows they get
 * @param connections with a thread each
 */
record FlatWork(PeTable table, int connections) implements Work {
  private static final long CALLS = 50_000;

  @Override
  public long firstOperations(Sizes sizes) {
    return CALLS;
  }

  @Override
  public List<String> arguments(Sizes sizes, long operations, Path report) {
    return List.of(
        "run",
        SteadyGets.class.getName(),
        "--connections=" + connections,
        "--rows=" + table.rows().applyAsLong(sizes),
        "--operations=" + operations,
        "--report=" + report,
        table.table());
  }

  @Override
  public ClientFigures figures(ClientRun run, Path report) throws IOException {
    return ClientFigures.read(report);
  }
}
