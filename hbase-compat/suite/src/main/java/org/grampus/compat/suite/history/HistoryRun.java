package org.grampus.compat.suite.history;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
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
  private static final int EVENTS_PER_KILL = 12;
  private static final String BUG_VARIABLE = "GRAMPUS_SEEDED_BUG";

  /** A fraction of what a busy machine does between kills. */
  private static final int KNOWN_PER_SECOND = 20;

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

  @Option(
      names = "--seeded-bug",
      description =
          "A bug that the server has, for the judge to find: clock_before_locks. Default: none")
  private String bug;

  @Mixin private RunOptions options;

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
    server.environment(BUG_VARIABLE, bug);
    try {
      server.start();
      server.awaitServing(SERVE_MAX);
      return run(server, new Random(chance));
    } finally {
      server.close();
    }
  }

  /** The exit code: a history of clients that were hardly served shows nothing. */
  private int run(ServerProcess server, Random random) throws Exception {
    Configuration conf = server.clientConfiguration();
    try (Connection operator = ConnectionFactory.createConnection(conf)) {
      HistoryClients.createTable(operator);
      Path history = options.directory().resolve("history.jsonl");
      try (HistoryClients all = new HistoryClients(clients, conf, history, random)) {
        all.start();
        disturb(server, new Upheaval(operator, random.nextLong()), random);
        all.stop();
        System.out.printf("history: %s, %d pauses, %d kills%n", all.summary(), pauses, kills);
        long wanted = (long) seconds * KNOWN_PER_SECOND;
        if (all.known() < wanted) {
          System.out.println("history: fewer than " + wanted + " operations of known outcome");
          return 1;
        }
        return 0;
      }
    }
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
