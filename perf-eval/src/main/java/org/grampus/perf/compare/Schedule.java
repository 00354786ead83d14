package org.grampus.perf.compare;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.grampus.perf.ToolException;

/** How the two servers of a pair do the same work. Stateless; any thread. */
public enum Schedule {
  /** One after the other, as if each were alone: also for latencies and throughput. */
  IN_TURN {
    @Override
    <T> List<T> run(Step<T> first, Step<T> second)
        throws ToolException, IOException, InterruptedException {
      return List.of(first.run(), second.run());
    }
  },
  /**
   * Both at the same time, so that other load on the machine slows both alike: ratios of processor
   * time need fewer pairs. The kernel counts the processor time of both clients together.
   */
  AT_ONCE {
    @Override
    <T> List<T> run(Step<T> first, Step<T> second)
        throws ToolException, IOException, InterruptedException {
      ExecutorService both = Executors.newFixedThreadPool(2);
      List<T> results;
      try {
        CompletionService<T> ended = new ExecutorCompletionService<>(both);
        List<Future<T>> steps = List.of(submit(ended, first), submit(ended, second));
        resultOf(ended.take()); // a failure of either, as soon as there is one
        results = List.of(resultOf(steps.get(0)), resultOf(steps.get(1)));
      } catch (Throwable failure) {
        endAfter(failure, both);
        throw failure;
      }
      both.shutdown();
      return results;
    }
  };

  private static final long END_SECONDS = 60;

  /** The work of one server. Where it is interrupted it ends, and what it has started. */
  @FunctionalInterface
  interface Step<T> {
    /** Does it. */
    T run() throws ToolException, IOException, InterruptedException;
  }

  /**
   * Runs both. Where one fails the other is interrupted, or does not begin.
   *
   * @return the results in the order of the steps
   */
  abstract <T> List<T> run(Step<T> first, Step<T> second)
      throws ToolException, IOException, InterruptedException;

  private static <T> Future<T> submit(CompletionService<T> service, Step<T> step) {
    Callable<T> task = step::run;
    return service.submit(task);
  }

  /** Interrupts what runs, and waits for its end: a client must not outlive its measurement. */
  private static void endAfter(Throwable failure, ExecutorService steps) {
    steps.shutdownNow();
    try {
      if (!steps.awaitTermination(END_SECONDS, TimeUnit.SECONDS)) {
        failure.addSuppressed(
            new ToolException("the measurement of the other server does not end"));
      }
    } catch (InterruptedException e) {
      failure.addSuppressed(e);
      Thread.currentThread().interrupt();
    }
  }

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
}
