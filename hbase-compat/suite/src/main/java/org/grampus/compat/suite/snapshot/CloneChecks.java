package org.grampus.compat.suite.snapshot;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Checks of clones, a few at a time, which go on while the next snapshots are taken. One thread
 * begins them.
 */
final class CloneChecks implements AutoCloseable {
  private final int limit;
  private final ExecutorService threads;
  private final Deque<Future<Void>> running = new ArrayDeque<>();

  CloneChecks(int limit) {
    this.limit = limit;
    threads = Executors.newFixedThreadPool(limit);
  }

  /**
   * Begins a check; where as many as there may be have begun, only after the oldest has ended.
   *
   * @throws ExecutionException with what an earlier check has thrown
   */
  void begin(Callable<Void> check) throws ExecutionException, InterruptedException {
    if (running.size() == limit) {
      running.remove().get();
    }
    running.add(threads.submit(check));
  }

  /**
   * Awaits all that have begun.
   *
   * @throws ExecutionException with what one of them has thrown
   */
  void await() throws ExecutionException, InterruptedException {
    while (!running.isEmpty()) {
      running.remove().get();
    }
  }

  /** Ends those that still run. */
  @Override
  public void close() {
    threads.shutdownNow();
  }
}
