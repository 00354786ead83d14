package org.grampus.perf.command;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.grampus.compat.suite.Violations;
import org.grampus.compat.suite.kill.Writers;
import org.grampus.perf.ToolException;
import org.grampus.perf.cluster.ClientNoise;
import org.grampus.perf.cluster.Cluster;
import org.grampus.perf.cluster.ClusterPlan;
import org.grampus.perf.cluster.Node;
import org.grampus.perf.cluster.Probe;
import org.grampus.perf.cluster.Role;
import org.grampus.perf.process.Await;
import org.grampus.perf.process.ClientProgram;
import org.grampus.perf.process.Tail;
import org.grampus.perf.result.ResultTable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** A cluster shown to its future operator: what it does, and what happens when its parts die. */
@Command(
    name = "cluster-demo",
    description = {
      "Starts a name node, three data nodes, ZooKeeper, two stock HMasters and three region servers"
          + " of Grampus on loopback, loads a table, counts it by MapReduce and by a direct scan,"
          + " kills a region server, a data node and the active master while clients write, and"
          + " stops everything."
    })
final class ClusterDemo extends MeasuringCommand {
  private static final double NANOS = 1e9;
  private static final double MILLIS = 1e3;
  private static final ClusterPlan PLAN = new ClusterPlan(3, 2, 3, 6000, Map.of());
  private static final int REGIONS = 6;
  private static final int WRITERS = 2;
  private static final long ROWS = 336_776;
  private static final String KEY = "year,month,day,carrier,flight,origin,sched_dep_time";
  private static final String SMALL_JVM = "-Xmx1g -XX:+UseSerialGC";

  /** Between two deaths, so that clients are seen at work. */
  private static final long QUIET_MILLIS = 3000;

  @Option(
      names = "--dir",
      description =
          "A new directory for all that the cluster keeps, which stays. Default: one that goes")
  private Path directory;

  private final ResultTable steps = new ResultTable("step", "result", "time");
  private int programs;

  @Override
  protected void measure() throws Exception {
    long began = System.nanoTime();
    note("starting a name node, 3 data nodes, ZooKeeper, 2 masters and 3 region servers");
    Cluster cluster = Cluster.start(checkout(), directory == null ? work() : directory, PLAN);
    try (cluster) {
      step("start", cluster.nodes().size() + " processes", began);
      show(cluster);
      began = System.nanoTime();
      note("stopping the cluster");
    }
    step("stop", "", began);
    System.out.print(steps + "\n");
    System.out.println("checked: nothing that was acknowledged is missing");
  }

  private void step(String name, String result, long began) {
    double seconds = (System.nanoTime() - began) / NANOS;
    note(
        String.format(
            Locale.ROOT, "%s: %s%.1f s", name, result.isEmpty() ? "" : result + ", ", seconds));
    steps.row(name, result, ResultTable.cell("%.1f s", seconds));
  }

  private void show(Cluster cluster) throws Exception {
    load(cluster);
    count(cluster);
    scan(cluster);
    fail(cluster);
  }

  private void fail(Cluster cluster) throws Exception {
    Violations violations = new Violations();
    try (ClientNoise noise = new ClientNoise(cluster.directory().resolve("clients.log"));
        Connection connection =
            ConnectionFactory.createConnection(Writers.patient(cluster.configuration()));
        Probe probe = new Probe(cluster.configuration())) {
      note("what HBase's client prints is in " + noise.log());
      Writers.createTable(connection);
      try (Writers writers = new Writers(WRITERS, connection, new Random(1), violations)) {
        writers.start();
        Node server = cluster.nodes(Role.REGION_SERVER).get(1);
        kill("a region server dies", server, probe, writers);
        kill("a data node dies", cluster.nodes(Role.DATA_NODE).get(0), probe, writers);
        killMaster(cluster, connection, probe, writers);
        long began = System.nanoTime();
        writers.stop();
        int rows = writers.verify();
        step(
            "compare what was acknowledged",
            rows + " rows of " + writers.operations() + " calls",
            began);
      }
      if (violations.count() + probe.lost() > 0) {
        throw new ToolException(
            "the cluster has lost writes: "
                + violations.count()
                + " by the writers, "
                + probe.lost()
                + " by the probe");
      }
    }
  }

  private void load(Cluster cluster) throws Exception {
    long began = System.nanoTime();
    note("importing the flights of perf-eval/data");
    String file = checkout().perfEval().resolve("data/flights.csv.gz").toUri().toString();
    String output = run(cluster, "import", file, "flights", "--key=" + KEY, "--regions=" + REGIONS);
    require(output, "imported 336,776 rows");
    step("import flights into " + REGIONS + " regions", ROWS + " x 19", began);
  }

  private void count(Cluster cluster) throws Exception {
    long began = System.nanoTime();
    note("counting by HBase's RowCounter, through the servers");
    String type = "org.apache.hadoop.hbase.mapreduce.RowCounter";
    // A local job prints the counters of each task, and those of all at the end.
    require(run(cluster, "run", type, "flights"), "ROWS=" + ROWS);
    step("count by MapReduce", ROWS + " rows", began);
  }

  private void scan(Cluster cluster) throws Exception {
    long began = System.nanoTime();
    note("downloading as Parquet by direct scans of a snapshot's files on HDFS");
    String output = run(cluster, "download", "flights", "--to", "/flights", "--format", "parquet");
    require(output, "336,776 rows");
    step("download by direct scans", ROWS + " x 19", began);
  }

  private void kill(String what, Node node, Probe probe, Writers writers) throws Exception {
    kill(what, node, probe, writers, () -> true);
  }

  private void killMaster(Cluster cluster, Connection connection, Probe probe, Writers writers)
      throws Exception {
    Node master =
        cluster
            .activeMaster(connection)
            .orElseThrow(() -> new ToolException("no master is active"));
    kill(
        "the active master dies",
        master,
        probe,
        writers,
        () ->
            cluster.activeMaster(connection).filter(active -> !active.equals(master)).isPresent());
  }

  /** Kills a process, waits until clients are served without it, and starts it again. */
  private void kill(
      String what, Node node, Probe probe, Writers writers, Await.Condition isReplaced)
      throws Exception {
    Thread.sleep(QUIET_MILLIS);
    long before = writers.operations();
    probe.forget();
    note(what + ": kill -9 of " + node);
    long began = System.nanoTime();
    node.daemon().kill();
    Await.until(
        "a cluster without " + node,
        List.of(),
        () -> probe.answeredSince(began) && isReplaced.isMet());
    step(
        what,
        String.format(Locale.ROOT, "replaced, %d writes meanwhile", writers.operations() - before),
        began);
    Thread.sleep(QUIET_MILLIS);
    double seconds = probe.unavailableMillis() / MILLIS;
    steps.row("", String.format(Locale.ROOT, "requests paused for %.1f s at most", seconds), "");
    note(
        String.format(
            Locale.ROOT, "requests paused for %.1f s at most; %s is started again", seconds, node));
    node.daemon().start();
  }

  private String run(Cluster cluster, String... arguments)
      throws ToolException, IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(checkout().grampus()));
    command.addAll(List.of(arguments));
    programs++;
    Path log = cluster.directory().resolve("program" + programs + ".log");
    return new ClientProgram(command)
        .environment(cluster.environment())
        .environment("GRAMPUS_CLIENT_OPTS", SMALL_JVM)
        .run(log)
        .output();
  }

  private static void require(String output, String wanted) throws ToolException {
    if (!output.contains(wanted)) {
      throw new ToolException("the program has not said \"" + wanted + "\"" + Tail.of(output));
    }
  }
}
