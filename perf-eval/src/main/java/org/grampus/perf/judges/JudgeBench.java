package org.grampus.perf.judges;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.grampus.compat.suite.Violations;
import org.grampus.perf.ToolException;
import org.grampus.perf.cluster.Cluster;
import org.grampus.perf.cluster.ClusterClients;
import org.grampus.perf.cluster.FaultInjector;
import org.grampus.perf.cluster.Node;
import org.grampus.perf.cluster.Role;
import org.grampus.perf.process.Await;
import org.grampus.perf.process.Checkout;
import org.grampus.perf.process.ClientProgram;
import org.grampus.perf.process.ProgramEnd;

/** A cluster, its operator and its killer, for judges. For one thread. */
public final class JudgeBench {
  /** A client of HBase that waits in vain does so for very long. */
  private static final long PROGRAM_MINUTES_MAX = 15;

  private static final long POLL_MILLIS = 100;

  private final Checkout checkout;
  private final Cluster cluster;
  private final ClusterClients operator;
  private final HBaseCommand hbase;
  private final Violations violations;
  private final Random random;
  private final FaultInjector injector;
  private final int period;
  private int programs;
  private int faults;

  /**
   * With a cluster that serves.
   *
   * @param operator asks and orders, and knows whether the cluster serves
   * @param violations takes ends of region servers that must not be
   * @param random decides on all faults
   * @param period from one fault to the next in seconds, 0 for none
   */
  public JudgeBench(
      Checkout checkout,
      Cluster cluster,
      ClusterClients operator,
      Violations violations,
      Random random,
      int period) {
    this.checkout = checkout;
    this.cluster = cluster;
    this.operator = operator;
    this.violations = violations;
    this.random = random;
    this.period = period;
    hbase = new HBaseCommand(checkout, cluster.hdfs().confDir());
    // The judges take processors themselves; how long a region may be away is asked without them.
    injector =
        new FaultInjector(
            cluster, operator.probe(), operator.connection(), random, violations, Long.MAX_VALUE);
  }

  Cluster cluster() {
    return cluster;
  }

  ClusterClients operator() {
    return operator;
  }

  Connection connection() {
    return operator.connection();
  }

  Violations violations() {
    return violations;
  }

  Random random() {
    return random;
  }

  /** How many faults there were so far. */
  public int faults() {
    return faults;
  }

  /**
   * Runs a program of HBase to its end, beside faults.
   *
   * @throws ToolException when it does not end, or the cluster does not serve any more
   */
  ProgramEnd besideFaults(String mainClass, String... arguments)
      throws ToolException, IOException, InterruptedException {
    return besideFaults(newDirectory(mainClass), mainClass, List.of(arguments));
  }

  /**
   * The same with a program that runs jobs. They run in its process and try no task again, so what
   * they keep beside HBase is on this machine's disk: a name node that is away would end them.
   */
  ProgramEnd jobBesideFaults(String mainClass, String... arguments)
      throws ToolException, IOException, InterruptedException {
    Path directory = newDirectory(mainClass);
    List<String> all = new ArrayList<>();
    all.add("-Dfs.defaultFS=file:///");
    all.add("-Dmapreduce.jobtracker.staging.root.dir=" + directory.resolve("staging"));
    all.addAll(List.of(arguments));
    return besideFaults(directory, mainClass, all);
  }

  private ProgramEnd besideFaults(Path directory, String mainClass, List<String> arguments)
      throws ToolException, IOException, InterruptedException {
    try (ClientProgram.Background program = start(directory, mainClass, arguments)) {
      BooleanSupplier runs = runs(program);
      if (period > 0) {
        faults += injector.runWhile(runs, period);
      }
      return await(program, runs, mainClass);
    }
  }

  /** The same without faults, in a cluster that has recovered from those before. */
  ProgramEnd inQuiet(String mainClass, String... arguments)
      throws ToolException, IOException, InterruptedException {
    awaitQuiet();
    try (ClientProgram.Background program =
        start(newDirectory(mainClass), mainClass, List.of(arguments))) {
      return await(program, runs(program), mainClass);
    }
  }

  /** Runs a command of {@code bin/grampus} to its end, in a cluster that has recovered. */
  ProgramEnd grampus(String... arguments) throws ToolException, IOException, InterruptedException {
    awaitQuiet();
    List<String> command = new ArrayList<>(List.of(checkout.grampus()));
    command.addAll(List.of(arguments));
    try (ClientProgram.Background program =
        new ClientProgram(command)
            .environment(cluster.environment())
            .environment("GRAMPUS_CLIENT_OPTS", ClientProgram.SMALL_JVM)
            .inBackground(newDirectory(arguments[0]).resolve("output.log"))) {
      return await(program, runs(program), arguments[0]);
    }
  }

  private Path newDirectory(String mainClass) throws IOException {
    programs++;
    String name = mainClass.substring(mainClass.lastIndexOf('.') + 1) + "-" + programs;
    return Files.createDirectories(cluster.directory().resolve("judges").resolve(name));
  }

  private ClientProgram.Background start(Path directory, String mainClass, List<String> arguments)
      throws IOException {
    return hbase
        .program(directory, mainClass, arguments)
        .inBackground(directory.resolve("output.log"));
  }

  private static BooleanSupplier runs(ClientProgram.Background program) {
    long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(PROGRAM_MINUTES_MAX);
    return () -> program.runs() && System.nanoTime() - end < 0;
  }

  private static ProgramEnd await(
      ClientProgram.Background program, BooleanSupplier runs, String mainClass)
      throws ToolException, IOException, InterruptedException {
    while (runs.getAsBoolean()) {
      TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
    }
    if (program.runs()) {
      throw new ToolException(mainClass + " runs after " + PROGRAM_MINUTES_MAX + " min");
    }
    return program.await();
  }

  /** Waits until the cluster serves and no region is on its way from one server to another. */
  void awaitQuiet() throws ToolException, IOException, InterruptedException {
    injector.recover("after the faults");
    Await.until(
        "a cluster without regions in transition",
        regionServers().stream().map(Node::daemon).toList(),
        () -> {
          try (Admin admin = connection().getAdmin()) {
            return admin.getClusterMetrics().getRegionStatesInTransition().isEmpty();
          }
        });
  }

  /** Starts a process that a judge has killed, and waits until the cluster serves. */
  void restart(Node node) throws ToolException, IOException, InterruptedException {
    node.daemon().start();
    injector.recover(node + " is killed");
  }

  List<Node> regionServers() {
    return cluster.nodes(Role.REGION_SERVER);
  }
}
