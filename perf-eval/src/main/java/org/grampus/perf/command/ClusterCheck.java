package org.grampus.perf.command;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Random;
import org.apache.hadoop.hbase.client.Connection;
import org.grampus.compat.suite.Violations;
import org.grampus.compat.suite.history.HistoryClients;
import org.grampus.compat.suite.kill.Writers;
import org.grampus.perf.cluster.Cluster;
import org.grampus.perf.cluster.ClusterClients;
import org.grampus.perf.cluster.ClusterPlan;
import org.grampus.perf.cluster.Disturbance;
import org.grampus.perf.cluster.FaultInjector;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Clients of a cluster whose processes fail, see {@link FaultInjector}. */
@Command(
    name = "cluster",
    description = {
      "HDFS, ZooKeeper, two stock HMasters and region servers of Grampus as processes on loopback,"
          + " one of which at a time is killed, paused or restarted while clients write and read.",
      "Fails when something acknowledged is missing, a region server ends by itself, or a region is"
          + " unavailable for more than 15 s. The history of its clients is not judged here: it is"
          + " for the judge of linearizability, in history.jsonl beside the result."
    })
final class ClusterCheck extends MeasuringCommand {
  private static final double MILLIS = 1e3;
  private static final long UNAVAILABLE_MILLIS_MAX = 15_000;

  @Option(
      names = "--seconds",
      converter = AtLeastOne.class,
      defaultValue = "60",
      description = "Time in which faults are injected. Default: ${DEFAULT-VALUE}")
  private int seconds;

  @Option(
      names = "--period",
      paramLabel = "SECONDS",
      converter = AtLeastOne.class,
      defaultValue = "20",
      description = "From one fault to the next. Default: ${DEFAULT-VALUE}")
  private int period;

  @Option(
      names = "--servers",
      paramLabel = "N",
      converter = AtLeastOne.class,
      defaultValue = "3",
      description = "Region servers. Default: ${DEFAULT-VALUE}")
  private int servers;

  @Option(
      names = "--clients",
      paramLabel = "N",
      converter = AtLeastOne.class,
      defaultValue = "4",
      description = "Writers, and as many clients on hot rows. Default: ${DEFAULT-VALUE}")
  private int clients;

  @Option(
      names = "--session",
      paramLabel = "MILLIS",
      converter = AtLeastOne.class,
      defaultValue = "6000",
      description =
          "ZooKeeper's session timeout, from 2000 to 20000. A process is away for up to twice as"
              + " long. Default: ${DEFAULT-VALUE}")
  private int sessionMillis;

  @Mixin private ClusterOptions options;

  private final Violations violations = new Violations();

  @Override
  protected void measure() throws Exception {
    Random random = options.random("cluster: " + seconds + " s");
    Path history = Files.createDirectories(outOr("cluster")).resolve("history.jsonl");
    Path place = options.directoryOr(work());
    try (Cluster cluster =
        Cluster.start(checkout(), place, ClusterPlan.forTrouble(servers, sessionMillis))) {
      note("the cluster serves");
      run(cluster, history, random);
    }
    note("the history, for the judge: " + history);
    ClusterOptions.requireNone(violations);
  }

  private void run(Cluster cluster, Path history, Random random) throws Exception {
    try (ClusterClients operator = new ClusterClients(cluster, violations)) {
      note("what HBase's client prints is in " + operator.noise().log());
      Connection connection = operator.connection();
      Writers.createTable(connection);
      HistoryClients.createSplitTable(connection);
      try (Writers writers = new Writers(clients, connection, random, violations);
          HistoryClients hot =
              new HistoryClients(clients, cluster.configuration(), history, random)) {
        writers.start();
        hot.start();
        Random faults = new Random(random.nextLong());
        FaultInjector injector =
            new FaultInjector(
                cluster, operator.probe(), connection, faults, violations, UNAVAILABLE_MILLIS_MAX);
        int injected;
        try (Disturbance disturbance =
            new Disturbance(cluster.configuration(), random.nextLong())) {
          disturbance.start();
          injected = injector.run(seconds, period);
        }
        hot.stop();
        writers.stop();
        String compared = operator.compare(writers, HistoryClients.table());
        injector.lookAgain();
        System.out.printf(
            Locale.ROOT,
            "checked: %d faults, %d operations, %s; history: %s; unavailable for %.1f s at most,"
                + " %d violations%n",
            injected,
            writers.operations(),
            compared,
            hot.summary(),
            injector.longestMillis() / MILLIS,
            violations.count());
      }
    }
  }
}
