package org.grampus.compat.suite.history;

import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.grampus.compat.suite.target.RunOptions;
import org.grampus.compat.suite.target.ServerProcess;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Records what concurrent clients saw of a few hot rows while the server is flushed, compacted,
 * split, paused, killed and started again. The judge says whether it can be explained.
 */
@Command(
    name = "history",
    mixinStandardHelpOptions = true,
    description = "Records a history of concurrent clients in DIR/history.jsonl.")
public final class HistoryRun implements Callable<Integer> {
  private static final Duration SERVE_MAX = Duration.ofMinutes(3);
  private static final int PLACES = 6;
  private static final int EVENTS_PER_KILL = 12;

  @Option(
      names = "--seconds",
      defaultValue = "40",
      description = "How long the clients work. Default: ${DEFAULT-VALUE}")
  private int seconds;

  @Option(
      names = "--clients",
      defaultValue = "8",
      description = "Clients, each with a connection. Default: ${DEFAULT-VALUE}")
  private int clients;

  @Option(
      names = "--calm",
      description = "Nothing but the clients' load: no flushes, moves, pauses and kills.")
  private boolean calm;

  @Mixin private RunOptions options;

  private final AtomicBoolean stop = new AtomicBoolean();
  private int kills;
  private int pauses;

  /** Runs it. */
  public static void main(String[] args) {
    System.exit(new CommandLine(new HistoryRun()).execute(args));
  }

  @Override
  public Integer call() throws Exception {
    long chance = options.seed();
    System.out.println("history: " + seconds + " s, " + clients + " clients, seed " + chance);
    Files.createDirectories(options.directory());
    ServerProcess server = options.server(Map.of("hbase.table.sanity.checks", "false"));
    try (Recorder recorder = new Recorder(options.directory().resolve("history.jsonl"))) {
      server.start();
      server.awaitServing(SERVE_MAX);
      run(server, recorder, new Random(chance));
      System.out.printf(
          "history: %d operations, %d of unknown outcome, %d pauses, %d kills%n",
          recorder.operations(), recorder.unknown(), pauses, kills);
    } finally {
      server.close();
    }
    return 0;
  }

  private void run(ServerProcess server, Recorder recorder, Random random) throws Exception {
    HotRows rows = new HotRows(PLACES);
    List<Connection> connections = new ArrayList<>();
    List<Thread> threads = new ArrayList<>();
    try (Connection operator = ConnectionFactory.createConnection(server.clientConfiguration())) {
      try (Admin admin = operator.getAdmin()) {
        admin.createTable(HotRows.descriptor());
      }
      for (int id = 0; id < clients; id++) {
        Connection connection =
            ConnectionFactory.createConnection(withoutRetries(server.clientConfiguration()));
        connections.add(connection);
        HistoryClient client =
            new HistoryClient(
                id, connection.getTable(HotRows.TABLE), rows, random.nextLong(), recorder, stop);
        threads.add(new Thread(client, "client-" + id));
      }
      threads.forEach(Thread::start);
      disturb(server, new Upheaval(operator, random.nextLong()), random);
      stop.set(true);
      for (Thread thread : threads) {
        thread.join();
      }
    } finally {
      stop.set(true);
      for (Connection connection : connections) {
        connection.close();
      }
    }
  }

  /** A call is sent once, so that what it did is one operation. */
  private static Configuration withoutRetries(Configuration conf) {
    conf.setInt("hbase.client.retries.number", 0);
    conf.setInt("hbase.rpc.timeout", 5_000);
    conf.setInt("hbase.client.operation.timeout", 6_000);
    conf.setInt("hbase.client.meta.operation.timeout", 6_000);
    return conf;
  }

  private void disturb(ServerProcess server, Upheaval upheaval, Random random)
      throws IOException, InterruptedException {
    long end = System.nanoTime() + Duration.ofSeconds(seconds).toNanos();
    for (int event = 1; System.nanoTime() < end; event++) {
      Thread.sleep(100 + random.nextInt(900));
      if (calm) {
        continue;
      }
      if (event % EVENTS_PER_KILL == 0) {
        server.kill();
        server.start();
        server.awaitServing(SERVE_MAX);
        upheaval.heal();
        kills++;
      } else if (random.nextInt(5) == 0) {
        server.pause();
        Thread.sleep(50 + random.nextInt(1500));
        server.resume();
        pauses++;
      } else {
        upheaval.once();
      }
    }
  }
}
