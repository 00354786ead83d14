package org.grampus.perf.compare;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.grampus.perf.ToolException;

/** When the two servers of a pair do the same work. For one thread. */
public enum Order {
  /** One after the other, as if each were alone: also for latencies and throughput. */
  IN_TURN {
    @Override
    <T> List<T> run(Step<T> first, Step<T> second)
        throws ToolException, IOException, InterruptedException {
      return List.of(first.run(), second.run());
    }
  },
  /**
   * Both at the same time: whatever else takes of the machine takes it of both, so that ratios of
   * processor time need fewer pairs. What the tool's children take cannot be told apart.
   */
  AT_ONCE {
    @Override
    <T> List<T> run(Step<T> first, Step<T> second)
        throws ToolException, IOException, InterruptedException {
      ExecutorService beside = Executors.newSingleThreadExecutor();
      try {
        Future<T> other = beside.submit(second::run);
        T one;
        try {
          one = first.run();
        } catch (ToolException | IOException | RuntimeException e) {
          addSuppressed(e, other); // a client must not outlive its measurement
          throw e;
        }
        return List.of(one, resultOf(other));
      } finally {
        beside.shutdownNow();
      }
    }
  };

  /** The work of one server. */
  @FunctionalInterface
  interface Step<T> {
    /** Does it. */
    T run() throws ToolException, IOException, InterruptedException;
  }

  /** Runs both to their ends; the results are in the order of the steps. */
  abstract <T> List<T> run(Step<T> first, Step<T> second)
      throws ToolException, IOException, InterruptedException;

  private static <T> T resultOf(Future<T> step)
      throws ToolException, IOException, InterruptedException {
    try {
      return step.get();
    } catch (ExecutionException e) {
      Throwable cause = e.getCause();
      if (cause instanceof ToolException tool) {
        throw tool;
      }
      if (cause instanceof IOException io) {
        throw io;
      }
      throw new IllegalStateException("a measurement failed", cause);
    }
  }

  private static void addSuppressed(Exception error, Future<?> step) throws InterruptedException {
    try {
      step.get();
    } catch (ExecutionException e) {
      error.addSuppressed(e.getCause());
    }
  }
}
