package org.grampus.compat.suite.snapshot;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.grampus.compat.suite.Violations;
import org.grampus.compat.suite.target.RunOptions;
import org.grampus.compat.suite.target.ServerKind;
import org.grampus.compat.suite.target.ServerProcess;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Takes one snapshot after the other of a table that is written, flushed and compacted meanwhile,
 * whose regions move, are split and merged and have flushes that fail, while the master removes
 * from the archive what it may at once. Every snapshot must succeed; the files of each must be
 * there; of some a clone is compared with what the writers know. Exit code 0 only without a
 * violation.
 *
 * <p>A client since 2.6 asks for a SnapshotProcedure, which waits for regions that are on their
 * way. So does one before that of Grampus. A stock HBase gives it an EnabledTableSnapshotHandler,
 * which fails when a region is not where it was at the beginning, or not at all: there such a
 * client asks again, and how often is counted.
 */
@Command(
    name = "snapshot-loop",
    mixinStandardHelpOptions = true,
    description = "Takes snapshots of a table under load and checks them.")
public final class SnapshotLoop implements Callable<Integer> {
  private static final Duration SERVE_MAX = Duration.ofMinutes(2);
  private static final long STEP_MINUTES = 3;
  private static final int SAY_EVERY = 50;

  /** Of a client that asks again. */
  private static final int ATTEMPTS = 20;

  /**
   * Small memtables and files; the archive is cleaned of what nothing refers to every ten seconds.
   */
  private static final Map<String, String> SETTINGS =
      Map.of(
          "hbase.hregion.memstore.flush.size", "262144",
          "hbase.hregion.max.filesize", "1073741824",
          "hbase.table.sanity.checks", "false",
          "hbase.hfile.compaction.discharger.interval", "500",
          "hbase.master.cleaner.interval", "10000",
          "hbase.master.hfilecleaner.ttl", "10000");

  /**
   * How many times as many snapshots are taken at most until the table has churned: a master splits
   * no region while it takes one, and a fast machine takes few of them within a split's turn.
   */
  private static final int MORE_MAX = 10;

  @Option(
      names = "--snapshots",
      defaultValue = "100",
      description = "Number of snapshots. Default: ${DEFAULT-VALUE}")
  private int snapshots;

  @Option(names = "--regions", defaultValue = "6", description = "Default: ${DEFAULT-VALUE}")
  private int regions;

  @Option(names = "--families", defaultValue = "6", description = "Default: ${DEFAULT-VALUE}")
  private int families;

  @Option(
      names = "--writers",
      defaultValue = "2",
      description = "Writing threads. Default: ${DEFAULT-VALUE}")
  private int writers;

  @Option(
      names = "--clone-every",
      defaultValue = "20",
      description = "Of this many snapshots one is cloned. Default: ${DEFAULT-VALUE}")
  private int cloneEvery;

  @Option(
      names = "--clones",
      defaultValue = "1",
      description = "Clones that are compared beside the next snapshots. Default: ${DEFAULT-VALUE}")
  private int clones;

  @Option(
      names = "--client",
      description =
          "A directory with the jars of another hbase-client, which takes the snapshots. Default: this one")
  private java.nio.file.Path client;

  @Mixin private RunOptions options;

  private final Violations violations = new Violations();
  private final AtomicBoolean stop = new AtomicBoolean();
  private final List<Ledger> ledgers = new ArrayList<>();
  private LoopTable schema;
  private BlockedFlushes flushes;
  private Churn churn;
  private int asked;
  private int taken;
  private int repeated;
  private final AtomicInteger cloned = new AtomicInteger();

  /** Runs the loop. */
  public static void main(String[] args) {
    System.exit(new CommandLine(new SnapshotLoop()).execute(args));
  }

  @Override
  public Integer call() throws Exception {
    long chance = options.seed();
    System.out.println("snapshot loop: " + snapshots + " snapshots, seed " + chance);
    schema = new LoopTable(TableName.valueOf("loop"), regions, families);
    ServerProcess server = options.server(SETTINGS);
    try {
      server.start();
      server.awaitServing(SERVE_MAX);
      Configuration conf = server.clientConfiguration();
      try (Connection connection = ConnectionFactory.createConnection(conf)) {
        run(server, conf, connection, chance);
      }
    } finally {
      server.close();
    }
    System.out.printf(
        "snapshot loop: %d of %d snapshots taken, %d asked for again, %d cloned and compared, %d numbers written, %d violations%n",
        taken,
        asked,
        repeated,
        cloned.get(),
        ledgers.stream().mapToLong(l -> l.sent().number()).sum(),
        violations.count());
    return violations.count() == 0 ? 0 : 1;
  }

  private void run(ServerProcess server, Configuration conf, Connection connection, long chance)
      throws Exception {
    try (Admin admin = connection.getAdmin()) {
      admin.createTable(schema.descriptor(), schema.splits());
    }
    Random random = new Random(chance);
    if (options.kind() == ServerKind.GRAMPUS) {
      flushes = new BlockedFlushes(server.rootDir(), schema.name(), server.log(), random);
    }
    churn = new Churn(connection.getAdmin(), schema, flushes, random, stop);
    List<Thread> threads = load(connection);
    threads.forEach(Thread::start);
    SnapshotJudge judge =
        new SnapshotJudge(conf, schema, options.kind() == ServerKind.GRAMPUS, violations);
    try (SnapshotTaker taker = taker(conf, connection)) {
      takeAll(taker, judge, connection, new Path(server.rootDir().toUri()));
    } finally {
      stop.set(true);
      for (Thread thread : threads) {
        thread.join();
      }
    }
    within("disabling the table", () -> disable(connection));
    checkChurn();
  }

  private void takeAll(SnapshotTaker taker, SnapshotJudge judge, Connection connection, Path root)
      throws Exception {
    try (CloneChecks checks = new CloneChecks(clones)) {
      for (int n = 1; n <= snapshots || (!hasChurned() && n <= MORE_MAX * snapshots); n++) {
        asked = n;
        String name = "s" + n;
        SnapshotJudge.Bounds bounds = take(taker, name);
        if (bounds != null) {
          judge.checkFiles(name, root);
          if (n % cloneEvery == 0) {
            checks.begin(() -> checkClone(judge, connection, name, bounds));
          } else {
            delete(connection, name);
          }
        }
        if (n % SAY_EVERY == 0) {
          System.out.printf("snapshot %d: %d taken, %d violations%n", n, taken, violations.count());
        }
      }
      checks.await();
    }
  }

  private Void checkClone(
      SnapshotJudge judge, Connection connection, String name, SnapshotJudge.Bounds bounds)
      throws Exception {
    within("the clone of " + name, () -> judge.checkContent(connection, name, bounds));
    cloned.incrementAndGet();
    delete(connection, name);
    return null;
  }

  /** A table that stands still shows nothing. */
  private void checkChurn() throws IOException {
    long failed = flushes == null ? 0 : flushes.failed();
    System.out.printf(
        "snapshot loop: %d moves, %d splits, %d merges, %d failed flushes, %d requests refused, %d failed%n",
        churn.moves(), churn.splits(), churn.merges(), failed, churn.refused(), churn.failed());
    if (!hasChurned()) {
      violations.add("the table's regions were not moved, split or kept from flushing");
    }
  }

  private boolean hasChurned() throws IOException {
    return churn.moves() > 0 && churn.splits() > 0 && (flushes == null || flushes.failed() > 0);
  }

  private List<Thread> load(Connection connection) throws IOException {
    List<Thread> threads = new ArrayList<>();
    for (int id = 0; id < writers; id++) {
      Ledger ledger = new Ledger(LoopTable.ROWS);
      ledgers.add(ledger);
      threads.add(
          new Thread(
              new LoopWriter(
                  id, schema, connection.getTable(schema.name()), ledger, stop, violations),
              "writer-" + id));
    }
    threads.add(new Thread(churn, "churn"));
    return threads;
  }

  private SnapshotTaker taker(Configuration conf, Connection connection) throws IOException {
    if (client != null) {
      return TakerProcess.start(client, conf, schema.name());
    }
    Admin admin = connection.getAdmin();
    return new SnapshotTaker() {
      @Override
      public void take(String snapshot) throws IOException {
        admin.snapshot(snapshot, schema.name());
      }

      @Override
      public void close() throws IOException {
        admin.close();
      }
    };
  }

  /** Bounds of what the snapshot may have, or null when there is none, which is a violation. */
  private SnapshotJudge.Bounds take(SnapshotTaker taker, String name) throws Exception {
    List<Ledger.Mark> acknowledged = ledgers.stream().map(Ledger::acknowledged).toList();
    if (!within("snapshot " + name, () -> takeOrRepeat(taker, name))) {
      return null;
    }
    taken++;
    return new SnapshotJudge.Bounds(acknowledged, ledgers.stream().map(Ledger::sent).toList());
  }

  /**
   * On a stock HBase a client before 2.6 has to ask again, and only beside a change of the regions
   * or the end of one that was split or merged.
   */
  private void takeOrRepeat(SnapshotTaker taker, String name) throws IOException {
    for (int attempt = 1; ; attempt++) {
      long ended = churn.ended();
      try {
        taker.take(name);
        return;
      } catch (IOException e) {
        boolean ofHandler = client != null && options.kind() == ServerKind.HBASE;
        boolean beside = churn.begun() > ended;
        if (!ofHandler || !(beside || isOfRemovedRegion(e)) || attempt == ATTEMPTS) {
          throw e;
        }
        repeated++;
      }
    }
  }

  /**
   * EnabledTableSnapshotHandler lists the offline parents of splits and reads their directories in
   * the end; a GCRegionProcedure may have taken one away by then.
   */
  private static boolean isOfRemovedRegion(IOException failure) {
    return String.valueOf(failure.getMessage())
        .contains("The specified region do not exists on disk");
  }

  private static void delete(Connection connection, String name) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      admin.deleteSnapshot(name);
    }
  }

  private void disable(Connection connection) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      admin.disableTable(schema.name());
    }
  }

  private interface Step {
    void run() throws IOException;
  }

  /** Runs a step; its failure is a violation, and one that does not end is the last. */
  private boolean within(String what, Step step) throws Exception {
    CompletableFuture<Void> running =
        CompletableFuture.runAsync(
            () -> {
              try {
                step.run();
              } catch (IOException e) {
                throw new CompletionException(e);
              }
            });
    try {
      running.get(STEP_MINUTES, TimeUnit.MINUTES);
      return true;
    } catch (ExecutionException e) {
      violations.add(what + " failed: " + e.getCause());
      return false;
    } catch (TimeoutException e) {
      violations.add(what + " did not end");
      throw new IOException(what + " did not end within " + STEP_MINUTES + " minutes", e);
    }
  }
}
