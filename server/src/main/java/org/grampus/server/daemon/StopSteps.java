package org.grampus.server.daemon;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The steps of a stop. One that fails is logged and keeps no later one from running; of those that
 * data depends on, the end tells which failed. For one thread.
 */
final class StopSteps {
  private static final Logger LOG = LoggerFactory.getLogger(StopSteps.class);

  private final List<String> failed = new ArrayList<>();

  interface Step {
    void run() throws Exception;
  }

  /** Runs a step after whose failure the stop is in order all the same; returns whether it ran. */
  boolean run(String part, Step step) {
    try {
      step.run();
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      LOG.warn("interrupted while stopping: {}", part);
    } catch (Exception e) {
      LOG.warn("stopping failed: {}", part, e);
    }
    return false;
  }

  /** Closes a part, null for one that was never there. */
  void close(String part, AutoCloseable closed) {
    if (closed != null) {
      run(part, closed::close);
    }
  }

  /** Runs a step without which acknowledged edits may be in the log alone. */
  void flush(String part, Step step) {
    if (!run(part, step)) {
      failed.add(part);
    }
  }

  /**
   * To be called after all steps.
   *
   * @throws IOException when one failed that data depends on
   */
  void end() throws IOException {
    if (!failed.isEmpty()) {
      throw new IOException(
          "not closed in order: "
              + String.join(", ", failed)
              + "; edits may be in the write-ahead log alone, keep it for the next start");
    }
  }
}
