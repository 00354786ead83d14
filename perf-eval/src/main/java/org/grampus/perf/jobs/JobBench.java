package org.grampus.perf.jobs;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.SnapshotDescription;
import org.grampus.perf.ToolException;
import org.grampus.perf.hadoop.Applications;
import org.grampus.perf.hadoop.HadoopCluster;
import org.grampus.perf.process.Checkout;
import org.grampus.perf.process.ClientProgram;
import org.grampus.perf.process.MeasuredServer;
import org.grampus.perf.process.Took;

/** A cluster and a server, with what checks of jobs need of both. For one thread. */
public final class JobBench implements Closeable {
  private static final String SMALL = ClientProgram.SMALL_JVM;
  private static final Duration WAIT = Duration.ofMinutes(2);
  private static final long POLL_MILLIS = 20;

  private static final Map<String, String> SMALL_JVM =
      Map.of("HADOOP_OPTS", SMALL, "GRAMPUS_CLIENT_OPTS", SMALL);

  private static final String MASTER = "org.apache.hadoop.mapreduce.v2.app.MRAppMaster";

  private final Checkout checkout;
  private final HadoopCluster cluster;
  private final MeasuredServer server;
  private final Path logs;
  private final Connection connection;
  private final FileSystem hdfs;
  private final Applications applications;
  private int programs;

  /**
   * Opens clients of both.
   *
   * @param logs where the output of programs goes, a file for each
   */
  public JobBench(Checkout checkout, HadoopCluster cluster, MeasuredServer server, Path logs)
      throws IOException {
    this.checkout = checkout;
    this.cluster = cluster;
    this.server = server;
    this.logs = Files.createDirectories(logs);
    connection = ConnectionFactory.createConnection(server.clientConfiguration());
    hdfs = FileSystem.newInstance(cluster.configuration());
    applications = new Applications(cluster.configuration());
  }

  Checkout checkout() {
    return checkout;
  }

  HadoopCluster cluster() {
    return cluster;
  }

  Applications applications() {
    return applications;
  }

  Connection connection() {
    return connection;
  }

  FileSystem hdfs() {
    return hdfs;
  }

  /** {@code bin/grampus}, which finds both. */
  ClientProgram grampus(String... arguments) {
    return server
        .client(List.of(arguments))
        .environment(cluster.environment())
        .environment(SMALL_JVM);
  }

  /** The same with the lines of Hadoop's client, such as how many splits a job has. */
  ClientProgram loggingGrampus(String... arguments) {
    return grampus(arguments)
        .environment("GRAMPUS_CLIENT_OPTS", SMALL + " -Dhbase.root.logger=INFO");
  }

  /** A command of a user who is in the directory of the checkout and has {@code hadoop}. */
  ClientProgram atHome(String... command) {
    String path =
        String.join(
            ":",
            cluster.commands().toString(),
            Path.of(System.getProperty("java.home"), "bin").toString(),
            System.getenv("PATH"));
    return new ClientProgram(List.of(command))
        .in(checkout.home())
        .environment(cluster.environment())
        .environment(SMALL_JVM)
        .environment("GRAMPUS_CONF_DIR", server.confDir().toString())
        .environment("PATH", path);
  }

  /** The lines of a file of HDFS. */
  List<String> lines(org.apache.hadoop.fs.Path file) throws IOException {
    try (InputStream in = hdfs.open(file)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
    }
  }

  /** A file for the output of the next program. */
  Path log(String what) {
    programs++;
    return logs.resolve(
        String.format(Locale.ROOT, "%02d-%s.log", programs, what.replaceAll("[^\\w]+", "-")));
  }

  /** Runs a program to its end and says how long it took; returns its output. */
  String run(String what, ClientProgram program)
      throws ToolException, IOException, InterruptedException {
    long begun = System.nanoTime();
    String output = program.run(log(what)).output();
    Took.print(what, begun);
    return output;
  }

  /** The same for a program that must end with this exit code. */
  String runFailing(String what, ClientProgram program, int code)
      throws ToolException, IOException, InterruptedException {
    long begun = System.nanoTime();
    String output = program.runFailing(log(what), code);
    Took.print(what, begun);
    return output;
  }

  /** A directory of this machine that is not there yet. */
  Path directory(String name) {
    return logs.resolveSibling(name);
  }

  /** The process of an attempt of a task, once it runs. */
  Optional<ProcessHandle> task(String attempt) {
    return containers().filter(process -> hasArgument(process, attempt)).findFirst();
  }

  /** Attempts of tasks. */
  @FunctionalInterface
  interface Attempts {
    List<String> names() throws IOException;
  }

  /**
   * SIGKILL for the first of these attempts whose process runs; returns it.
   *
   * @param running the program whose job has the tasks, which must not end before
   */
  String killTask(String what, Attempts attempts, ClientProgram.Background running)
      throws ToolException, IOException, InterruptedException {
    String[] killed = new String[1];
    await(
        what,
        () -> {
          running.require();
          for (String attempt : attempts.names()) {
            Optional<ProcessHandle> task = task(attempt);
            if (killed[0] == null && task.isPresent() && task.get().destroyForcibly()) {
              killed[0] = attempt;
            }
          }
          return killed[0] != null;
        });
    return killed[0];
  }

  /** The process of the one application master that runs. */
  Optional<ProcessHandle> applicationMaster() {
    return containers().filter(process -> hasArgument(process, MASTER)).findFirst();
  }

  private Stream<ProcessHandle> containers() {
    return cluster.processes().stream();
  }

  private static boolean hasArgument(ProcessHandle process, String argument) {
    return process.info().arguments().map(all -> List.of(all).contains(argument)).orElse(false);
  }

  /** Names of all snapshots. */
  List<String> snapshots() throws IOException {
    try (Admin admin = connection.getAdmin()) {
      return admin.listSnapshots().stream().map(SnapshotDescription::getName).sorted().toList();
    }
  }

  /** Something that comes to be true. */
  @FunctionalInterface
  interface Condition {
    boolean isMet() throws ToolException, IOException, InterruptedException;
  }

  /**
   * Waits.
   *
   * @throws ToolException when it is not true after two minutes
   */
  static void await(String what, Condition condition)
      throws ToolException, IOException, InterruptedException {
    long deadline = System.nanoTime() + WAIT.toNanos();
    while (!condition.isMet()) {
      if (System.nanoTime() > deadline) {
        throw new ToolException(what + " is not so after " + WAIT.toSeconds() + " s");
      }
      Thread.sleep(POLL_MILLIS);
    }
  }

  /**
   * Requires one job with more splits than its table has regions.
   *
   * @throws ToolException when it is not so
   */
  void expectMoreSplitsThanRegions(String what, TableName table, String output)
      throws ToolException, IOException {
    int regions;
    try (Admin admin = connection.getAdmin()) {
      regions = admin.getRegions(table).size();
    }
    List<Long> splits = new ClientOutput(output).splits();
    if (splits.size() != 1 || splits.get(0) <= regions) {
      throw new ToolException(what + " has splits " + splits + ", and " + regions + " regions");
    }
  }

  @Override
  public void close() throws IOException {
    try (connection;
        hdfs) {
      applications.close();
    }
  }
}
