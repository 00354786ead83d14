package org.grampus.perf.pe.client;

import java.io.IOException;
import java.util.concurrent.CountDownLatch;
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
   * Runs them; returns when all of them have ended and their connections are closed. When one
   * fails, the result has what all of them did until then.
   *
   * @param listener learns of each client
   * @throws IOException when nothing could begin
   */
  public RunResult run(CallSettings settings, Listener listener)
      throws IOException, InterruptedException {
    boolean async = options.command().is(Trait.ASYNC);
    Connections connections = Connections.open(conf, connectionCount(), async);
    ClientThreads threads = new ClientThreads(options.clientCount(), log);
    try {
      log.info("Created {} connections for {} threads", connectionCount(), options.clientCount());
      run(settings, connections, threads, listener);
    } finally {
      close(connections, threads);
    }
    return RunResult.of(options, threads.results(), threads.errors());
  }

  /** What was measured is not lost for a connection that does not close. */
  private void close(Connections connections, ClientThreads threads) {
    try {
      connections.close();
    } catch (IOException e) {
      log.error("Connections do not close", e);
      threads.fail("connections do not close: " + e);
    }
  }

  private int connectionCount() {
    ClientOptions clients = options.clients();
    if (clients.oneConnection()) {
      return 1;
    }
    return clients.connections() == 0 ? options.clientCount() : clients.connections();
  }

  private void run(
      CallSettings settings, Connections connections, ClientThreads threads, Listener listener)
      throws IOException, InterruptedException {
    try {
      begin(settings, connections, threads, listener);
      threads.await();
    } finally {
      threads.end();
    }
  }

  private void begin(
      CallSettings settings, Connections connections, ClientThreads threads, Listener listener)
      throws IOException {
    CountDownLatch ready = new CountDownLatch(options.clientCount());
    Start together =
        () -> {
          ready.countDown();
          ready.await();
        };
    for (int number = 0; number < options.clientCount(); number++) {
      TestClient.Task task =
          new TestClient.Task(options, settings, CommandProperties.of(options), number);
      ClientRun client = new ClientRun(task, connections.of(number), clock, log::info);
      threads.begin(
          () -> {
            listener.begins(task.share());
            ClientResult result = client.run(together);
            listener.ended(result);
            return result;
          });
    }
  }
}
