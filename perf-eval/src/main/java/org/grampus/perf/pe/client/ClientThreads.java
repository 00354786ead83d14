package org.grampus.perf.pe.client;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;

/**
 * Threads of clients, and what they have brought back. When one fails, the others are interrupted.
 * For one thread, which begins them, waits for them and ends them.
 */
final class ClientThreads {
  private final ExecutorService threads;
  private final CompletionService<ClientResult> running;
  private final Logger log;
  private final List<ClientResult> results = new ArrayList<>();
  private final List<String> errors = new ArrayList<>();
  private int begun;
  private boolean stopped;

  /**
   * No thread yet.
   *
   * @param count of them
   * @param log takes what fails
   */
  ClientThreads(int count, Logger log) {
    this.threads = Executors.newFixedThreadPool(count, factory());
    this.running = new ExecutorCompletionService<>(threads);
    this.log = log;
  }

  private static ThreadFactory factory() {
    AtomicInteger next = new AtomicInteger();
    return work -> new Thread(work, "TestClient-" + next.getAndIncrement());
  }

  /** Begins the work of a client. */
  void begin(Callable<ClientResult> client) {
    running.submit(client);
    begun++;
  }

  /** Waits until all that have begun have ended. */
  void await() throws InterruptedException {
    for (int ended = 0; ended < begun; ended++) {
      try {
        ended(running.take().get());
      } catch (ExecutionException e) {
        failed(e.getCause());
      }
    }
  }

  private void ended(ClientResult result) {
    results.add(result);
    if (!result.isWhole()) {
      stop();
    }
  }

  /** A client that is stopped before it began has nothing to say. */
  private void failed(Throwable e) {
    if (!stopped) {
      log.error("A client has failed before it began", e);
      fail("a client has failed before it began: " + e);
      stop();
    }
  }

  private void stop() {
    stopped = true;
    threads.shutdownNow();
  }

  /** Adds to the errors. */
  void fail(String error) {
    errors.add(error);
  }

  /** Stops all; returns when they have ended: their connections stay open until then. */
  void end() throws InterruptedException {
    threads.shutdownNow();
    while (!threads.awaitTermination(1, TimeUnit.MINUTES)) {
      // a call in HBase's client has its own time limit
    }
  }

  /** What clients have done, in the order of their numbers. */
  List<ClientResult> results() {
    return results.stream().sorted(Comparator.comparingInt(ClientResult::client)).toList();
  }

  /** Sentences about what has failed beside clients with a result. */
  List<String> errors() {
    return List.copyOf(errors);
  }
}
