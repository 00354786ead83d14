package org.grampus.perf.command;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;
import org.apache.hadoop.hbase.client.Connection;
import org.grampus.compat.suite.Violations;
import org.grampus.compat.suite.kill.Writers;
import org.grampus.perf.ToolException;
import org.grampus.perf.cluster.Cluster;
import org.grampus.perf.cluster.ClusterClients;
import org.grampus.perf.cluster.ClusterPlan;
import org.grampus.perf.cluster.Network;
import org.grampus.perf.cluster.Node;
import org.grampus.perf.cluster.Probe;
import org.grampus.perf.trouble.Bench;
import org.grampus.perf.trouble.NetworkNamespace;
import org.grampus.perf.trouble.Trouble;
import org.grampus.perf.trouble.Troubles;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** A cluster whose HDFS is in trouble, see {@link Troubles}. */
@Command(
    name = "trouble",
    description = {
      "HDFS, ZooKeeper, two stock HMasters and three region servers of Grampus as processes on"
          + " this machine. HDFS is put into safe mode, has no space, corrupt replicas or a slow"
          + " data node; region servers are restarted one after the other; one is drained"
          + " (decommissioned), stands still for longer than its session, or is cut off from"
          + " ZooKeeper, the name node or a data node (in a network namespace, as root).",
      "Fails when something acknowledged is missing, a region server ends that need not, a server"
          + " whose session has ended acknowledges a put or changes a file, a drained server gets a"
          + " region, or requests are not answered again."
    })
final class TroubleCheck extends MeasuringCommand {
  private static final double MILLIS = 1e3;
  private static final double NANOS = 1e9;
  private static final int SERVERS = 3;
  private static final int SESSION_MILLIS = 6000;

  @Option(
      names = "--check",
      paramLabel = "NAME",
      description = "Kinds of trouble, by the beginnings of their names. Default: all")
  private List<String> checks = List.of();

  @Option(
      names = "--seconds",
      converter = AtLeastOne.class,
      defaultValue = "20",
      description = "For how long a trouble lasts. Default: ${DEFAULT-VALUE}")
  private int seconds;

  @Option(
      names = "--clients",
      paramLabel = "N",
      converter = AtLeastOne.class,
      defaultValue = "4",
      description = "Writers. Default: ${DEFAULT-VALUE}")
  private int clients;

  @Mixin private ClusterOptions options;

  private final Violations violations = new Violations();

  @Override
  protected void measure() throws Exception {
    NetworkNamespace namespace;
    try {
      namespace = new NetworkNamespace();
    } catch (IOException e) {
      note("without trouble of the network, which needs root and iproute2: " + e.getMessage());
      measure(Network.LOOPBACK, (troubles, bench) -> {});
      return;
    }
    try (namespace) {
      measure(namespace, (troubles, bench) -> troubles.addCuts(bench, namespace, time()));
    }
  }

  private Duration time() {
    return Duration.ofSeconds(seconds);
  }

  private void measure(Network network, BiConsumer<Troubles, Bench> more) throws Exception {
    Random random = options.random("trouble");
    Path place = options.directoryOr(work());
    try (Cluster cluster =
            Cluster.start(
                checkout(), place, ClusterPlan.forTrouble(SERVERS, SESSION_MILLIS), network);
        ClusterClients operator = new ClusterClients(cluster, violations);
        Bench bench = new Bench(cluster, operator.connection(), operator.probe(), violations)) {
      note("what HBase's client prints is in " + operator.noise().log());
      Probe probe = operator.probe();
      Troubles troubles = new Troubles(bench, time(), random);
      more.accept(troubles, bench);
      Map<String, Trouble> chosen = troubles.named(checks);
      for (Map.Entry<String, Trouble> trouble : chosen.entrySet()) {
        if (trouble.getValue().isQuiet()) {
          cause(trouble.getKey(), trouble.getValue(), bench, probe, () -> 0);
        }
      }
      besideWriters(chosen, bench, operator, random);
    }
    ClusterOptions.requireNone(violations);
  }

  private void besideWriters(
      Map<String, Trouble> chosen, Bench bench, ClusterClients operator, Random random)
      throws Exception {
    Connection connection = operator.connection();
    Writers.createTable(connection);
    try (Writers writers = new Writers(clients, connection, random, violations)) {
      writers.start();
      for (Map.Entry<String, Trouble> trouble : chosen.entrySet()) {
        if (!trouble.getValue().isQuiet()) {
          cause(trouble.getKey(), trouble.getValue(), bench, operator.probe(), writers::operations);
        }
      }
      writers.stop();
      String compared = operator.compare(writers);
      System.out.printf(
          Locale.ROOT,
          "checked: trouble %s, %d operations, %s, %d violations%n",
          chosen.keySet(),
          writers.operations(),
          compared,
          violations.count());
    }
  }

  private static void cause(
      String name, Trouble trouble, Bench bench, Probe probe, LongSupplier operations)
      throws ToolException, IOException, InterruptedException {
    System.out.printf(Locale.ROOT, "%-18s", name);
    System.out.flush();
    long before = operations.getAsLong();
    long begun = System.nanoTime();
    probe.forget();
    trouble.cause();
    List<Node> ended = bench.recover(name);
    trouble.verify();
    System.out.printf(
        Locale.ROOT,
        "%5.1f s, unavailable for %4.1f s, %d operations%s%n",
        (System.nanoTime() - begun) / NANOS,
        probe.unavailableMillis() / MILLIS,
        operations.getAsLong() - before,
        ended.isEmpty() ? "" : "; ended: " + ended);
  }
}
