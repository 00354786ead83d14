package org.grampus.perf.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.grampus.perf.ToolException;

/** The engine's metrics, which a server appends to a file once a second. */
public final class EngineMetrics {
  private static final long POLL_MILLIS = 200;

  private final Path file;
  private final BooleanSupplier serverRuns;

  EngineMetrics(Path file, BooleanSupplier serverRuns) {
    this.file = file;
    this.serverRuns = serverRuns;
  }

  /** All lines so far, oldest first. */
  public List<MetricsLine> lines() throws IOException {
    return Files.exists(file) ? MetricsLine.parse(Files.readString(file)) : List.of();
  }

  /** Waits for the state of about now: of two lines to come the first may be from just before. */
  public MetricsLine awaitNow() throws ToolException, IOException, InterruptedException {
    int wanted = lines().size() + 2;
    while (true) {
      List<MetricsLine> lines = lines();
      if (lines.size() >= wanted) {
        return lines.get(lines.size() - 1);
      }
      if (!serverRuns.getAsBoolean()) {
        throw new ToolException("the server has ended; its metrics cannot be read");
      }
      Thread.sleep(POLL_MILLIS);
    }
  }
}
