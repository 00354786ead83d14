package org.grampus.perf.compare;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.grampus.perf.ToolException;
import org.grampus.perf.client.ClientFigures;
import org.grampus.perf.process.ClientRun;
import org.grampus.perf.ycsb.CoreMix;
import org.grampus.perf.ycsb.YcsbClient;

/**
 * Operations of YCSB.
 *
 * @param table its records
 * @param mix which operations
 * @param threads that do them, each one at a time
 * @param strict whether a failure ends the comparison, or is counted
 */
record YcsbWork(YcsbTable table, CoreMix mix, int threads, boolean strict) implements Work {
  private static final long CALLS = 50_000;

  @Override
  public long firstOperations(Sizes sizes) {
    return Math.min(CALLS, table.records().applyAsLong(sizes));
  }

  @Override
  public List<String> arguments(Sizes sizes, long operations, Path report) {
    return List.of(
        "run",
        YcsbClient.class.getName(),
        "--mix=" + mix,
        "--records=" + table.records().applyAsLong(sizes),
        "--operations=" + operations,
        "--threads=" + threads,
        "--report=" + report,
        table.table());
  }

  @Override
  public ClientFigures figures(ClientRun run, Path report) throws ToolException, IOException {
    ClientFigures figures = ClientFigures.read(report);
    if (strict && figures.errors() > 0) {
      throw new ToolException(
          "YCSB " + mix + ": " + figures.errors() + " operations failed:\n" + run.output().strip());
    }
    return figures;
  }
}
