package org.grampus.perf.pe.client;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletionService;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.grampus.perf.pe.measure.Clock;
import org.grampus.perf.pe.option.CallSettings;
import org.grampus.perf.pe.option.ClientOptions;
import org.grampus.perf.pe.option.PeOptions;
import org.grampus.perf.pe.option.Trait;
import org.grampus.perf.pe.work.TestClient;
import org.slf4j.Logger;

/** Clients as threads of this process, which begin together. When one fails, the others stop. */
public final class LocalClients {
  private final PeOptions options;
  private final Configuration conf;
  private final Clock clock;
  private final Logger log;

  /**
   * The clients of a run.
   *
   * @param log takes what they say
   */
  public LocalClients(PeOptions options, Configuration conf, Clock clock, Logger log) {
    this.options = options;
    this.conf = conf;
    this.clock = clock;
    this.log = log;
  }

  /**
   * Runs them; returns when all of them have ended and their connections are closed.
   *
   * @param listener learns of each client
   */
  public List<ClientResult> run(CallSettings settings, Listener listener)
      throws IOException, InterruptedException {
    boolean async = options.command().is(Trait.ASYNC);
    try (Connections connections = Connections.open(conf, connectionCount(), async)) {
      log.info("Created {} connections for {} threads", connectionCount(), options.clientCount());
      return run(settings, connections, listener);
    }
  }

  private int connectionCount() {
    ClientOptions clients = options.clients();
    if (clients.oneConnection()) {
      return 1;
    }
    return clients.connections() == 0 ? options.clientCount() : clients.connections();
  }

  private List<ClientResult> run(CallSettings settings, Connections connections, Listener listener)
      throws IOException, InterruptedException {
    int count = options.clientCount();
    CountDownLatch ready = new CountDownLatch(count);
    Start together =
        () -> {
          ready.countDown();
          ready.await();
        };
    ExecutorService threads = Executors.newFixedThreadPool(count, threads());
    try {
      CompletionService<ClientResult> running = new ExecutorCompletionService<>(threads);
      for (int number = 0; number < count; number++) {
        TestClient.Task task =
            new TestClient.Task(options, settings, CommandProperties.of(options), number);
        ClientRun client = new ClientRun(task, connections.of(number), clock, log::info);
        running.submit(
            () -> {
              listener.begins(task.share());
              ClientResult result = client.run(together);
              listener.ended(result);
              return result;
            });
      }
      return results(running, count);
    } finally {
      threads.shutdownNow();
      awaitEnd(threads);
    }
  }

  private static ThreadFactory threads() {
    AtomicInteger next = new AtomicInteger();
    return work -> new Thread(work, "TestClient-" + next.getAndIncrement());
  }

  private static List<ClientResult> results(CompletionService<ClientResult> running, int count)
      throws IOException, InterruptedException {
    List<ClientResult> results = new ArrayList<>();
    try {
      while (results.size() < count) {
        results.add(running.take().get());
      }
    } catch (ExecutionException e) {
      throw new IOException("a client has failed: " + e.getCause(), e.getCause());
    }
    results.sort(Comparator.comparingInt(ClientResult::client));
    return results;
  }

  /** Their connections stay open until none of them uses one. */
  private static void awaitEnd(ExecutorService threads) throws InterruptedException {
    while (!threads.awaitTermination(1, TimeUnit.MINUTES)) {
      // a call in HBase's client has its own time limit
    }
  }
}
