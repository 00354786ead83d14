package org.grampus.compat.suite.kill;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.DoNotRetryRegionException;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.grampus.compat.suite.FullScans;
import org.grampus.compat.suite.Violations;
import org.grampus.compat.suite.target.RunOptions;
import org.grampus.compat.suite.target.ServerProcess;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Kills a server again and again under load and checks that everything acknowledged is there
 * exactly once. A third of the kills fall into table operations and region moves, a fifth into the
 * restart itself. Exit code 0 only without a violation.
 */
@Command(
    name = "kill-loop",
    mixinStandardHelpOptions = true,
    description = "Kills a server under load and checks its answers.")
public final class KillLoop implements Callable<Integer> {
  private static final Logger LOG = LoggerFactory.getLogger(KillLoop.class);

  private static final Duration SERVE_MAX = Duration.ofSeconds(60);
  private static final long SERVE_GOAL_MILLIS = 15_000;
  private static final int BUSY_OPERATIONS = 200;

  private static final Pattern RUNNING_SPLIT =
      Pattern.compile(
          "\"className\":\\s*\"[^\"]*SplitTableRegionProcedure\"[^{}]*"
              + "\"state\":\\s*\"(?!SUCCESS|FAILED|ROLLEDBACK)");

  @Option(
      names = "--kills",
      defaultValue = "20",
      description = "Number of kills. Default: ${DEFAULT-VALUE}")
  private int kills;

  @Option(
      names = "--writers",
      defaultValue = "4",
      description = "Writing threads. Default: ${DEFAULT-VALUE}")
  private int writers;

  @Option(
      names = "--changers",
      defaultValue = "1",
      description =
          "Threads that change tables of their own; a stock HBase undoes changes when it is killed."
              + " Default: ${DEFAULT-VALUE}")
  private int changers;

  @Mixin private RunOptions options;

  private final Violations violations = new Violations();
  private final AtomicBoolean stop = new AtomicBoolean();
  private final AtomicBoolean ddl = new AtomicBoolean();
  private final AtomicLong changes = new AtomicLong();
  private long slowestStartMillis;

  /** Runs the loop. */
  public static void main(String[] args) {
    System.exit(new CommandLine(new KillLoop()).execute(args));
  }

  @Override
  public Integer call() throws Exception {
    long chance = options.seed();
    System.out.println("kill loop: " + kills + " kills, seed " + chance);
    Random random = new Random(chance);
    ServerProcess server =
        options.server(
            // The writers' few rows outgrow these limits, so that regions split while servers die.
            Map.of(
                "hbase.hregion.memstore.flush.size",
                "1048576",
                "hbase.hregion.max.filesize",
                "16384",
                "hbase.table.sanity.checks",
                "false"));
    try {
      server.start();
      server.awaitServing(SERVE_MAX);
      try (Connection connection =
          ConnectionFactory.createConnection(Writers.patient(server.clientConfiguration()))) {
        run(server, connection, random);
      }
    } finally {
      server.close();
    }
    return violations.count() == 0 ? 0 : 1;
  }

  private void run(ServerProcess server, Connection connection, Random random) throws Exception {
    Writers.createTable(connection);
    Writers writing = new Writers(writers, connection, random, violations);
    List<Thread> threads = new ArrayList<>();
    List<TableChanger> changing = new ArrayList<>();
    for (int id = 0; id < changers; id++) {
      TableChanger changer =
          new TableChanger(id, connection, random.nextLong(), stop, violations, changes);
      changing.add(changer);
      threads.add(new Thread(changer, "changer-" + id));
    }
    threads.add(new Thread(new Disturber(connection, random.nextLong(), stop, ddl), "disturber"));
    writing.start();
    threads.forEach(Thread::start);
    for (int kill = 1; kill <= kills; kill++) {
      ddl.set(kill % 3 == 0);
      killOnce(server, writing, random, kill);
      heal(connection);
    }
    ddl.set(false);
    stop.set(true);
    writing.stop();
    for (Thread thread : threads) {
      thread.join();
    }
    heal(connection);
    verify(connection, writing, changing);
  }

  private void verify(Connection connection, Writers writing, List<TableChanger> changing)
      throws Exception {
    int compared = writing.verify();
    int cells = 0;
    for (TableChanger changer : changing) {
      cells += changer.verify();
    }
    int rows = FullScans.count(connection, Schema.TABLE, violations);
    if (changers > 0 && changes.get() < kills) {
      violations.add("tables were changed " + changes + " times only, less than once for a kill");
    }
    System.out.printf(
        "kill loop: %d kills, %d operations, %d keys compared, %d rows scanned, %d changes of tables,"
            + " %d of their cells compared, slowest restart %.1f s, %d violations%n",
        kills,
        writing.operations(),
        compared,
        rows,
        changes.get(),
        cells,
        slowestStartMillis / 1000.0,
        violations.count());
  }

  private void killOnce(ServerProcess server, Writers writing, Random random, int kill)
      throws IOException, InterruptedException {
    long before = writing.operations();
    awaitBusyWriters(writing, before);
    Thread.sleep(300 + random.nextInt(2500));
    server.kill();
    if (kill % 5 == 0) {
      server.start();
      Thread.sleep(random.nextInt(4000));
      server.kill();
    }
    long start = System.nanoTime();
    server.start();
    server.awaitServing(SERVE_MAX);
    long millis = (System.nanoTime() - start) / 1_000_000;
    slowestStartMillis = Math.max(slowestStartMillis, millis);
    if (millis > SERVE_GOAL_MILLIS) {
      violations.add("the server took " + millis + " ms to serve after kill " + kill);
    }
    System.out.printf(
        "kill %d: %d operations since the last, serving again after %.1f s%n",
        kill, writing.operations() - before, millis / 1000.0);
  }

  /**
   * A kill may fall between a close of a region and its open: an operator would assign it then, and
   * the writers wait for that. Not while it splits: a stock master takes the order as soon as the
   * parent is closed, and opens it beside its daughters afterwards.
   */
  private static void heal(Connection connection) throws IOException, InterruptedException {
    try (Admin admin = connection.getAdmin()) {
      admin.splitSwitch(false, true);
      while (RUNNING_SPLIT.matcher(admin.getProcedures()).find()) {
        Thread.sleep(100);
      }
      if (!admin.isTableEnabled(Schema.TABLE)) {
        admin.enableTable(Schema.TABLE);
      }
      for (RegionInfo region : admin.getRegions(Schema.TABLE)) {
        assign(admin, region);
      }
      admin.splitSwitch(true, true);
    }
  }

  /** A kill tests nothing while the writers' client still waits between its retries. */
  private void awaitBusyWriters(Writers writing, long before) throws InterruptedException {
    long deadline = System.nanoTime() + SERVE_MAX.toNanos();
    while (writing.operations() < before + BUSY_OPERATIONS) {
      if (System.nanoTime() > deadline) {
        violations.add("the writers made no progress for " + SERVE_MAX.toSeconds() + " s");
        return;
      }
      Thread.sleep(10);
    }
  }

  private static void assign(Admin admin, RegionInfo region) throws IOException {
    try {
      admin.assign(region.getRegionName());
    } catch (DoNotRetryRegionException e) {
      LOG.debug("region {} is assigned already", region.getEncodedName());
    }
  }
}
