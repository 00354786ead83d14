package org.grampus.perf.hadoop;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.yarn.api.records.NodeState;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.grampus.perf.ToolException;
import org.grampus.perf.process.Checkout;

/**
 * HDFS and YARN on this machine: a name node, two data nodes, a resource manager, a node manager
 * and the history of jobs. What is started here is stopped by {@link #close}, tasks included. For
 * one thread.
 */
public final class HadoopCluster implements AutoCloseable {
  static final int DATA_NODES = 2;

  private static final long START_SECONDS = 120;
  private static final long POLL_MILLIS = 100;
  private static final String HDFS = "org.apache.hadoop.hdfs.server.";
  private static final String YARN = "org.apache.hadoop.yarn.server.";

  private final Checkout checkout;
  private final Path directory;
  private final Path confDir;
  private final List<HadoopDaemon> daemons = new ArrayList<>();

  private HadoopCluster(Checkout checkout, Path directory) throws IOException {
    this.checkout = checkout;
    this.directory = Files.createDirectories(directory);
    this.confDir = HadoopSite.write(directory, checkout.build().resolve("hadoop-lib"));
  }

  /**
   * Starts a new cluster and returns once it takes files and jobs.
   *
   * @param directory its own, empty or not there
   * @throws ToolException when a daemon ends, or the cluster is not ready after two minutes
   */
  public static HadoopCluster start(Checkout checkout, Path directory)
      throws ToolException, IOException, InterruptedException {
    HadoopCluster cluster = new HadoopCluster(checkout, directory);
    try {
      cluster.startDaemons();
      cluster.awaitReady();
      return cluster;
    } catch (ToolException | IOException | InterruptedException | RuntimeException e) {
      cluster.close();
      throw e;
    }
  }

  private void startDaemons() throws ToolException, IOException, InterruptedException {
    daemon("resourcemanager", YARN + "resourcemanager.ResourceManager");
    daemon("nodemanager", YARN + "nodemanager.NodeManager");
    String nameNode = HDFS + "namenode.NameNode";
    run("format", nameNode, "-format", "-nonInteractive").awaitSuccess();
    daemon("namenode", nameNode);
    for (int i = 1; i <= DATA_NODES; i++) {
      String data = "-Ddfs.datanode.data.dir=file://" + directory.resolve("blocks" + i);
      daemon("datanode" + i, HDFS + "datanode.DataNode", data);
    }
    daemon("historyserver", "org.apache.hadoop.mapreduce.v2.hs.JobHistoryServer");
  }

  private void daemon(String name, String... command) throws IOException {
    daemons.add(run(name, command));
  }

  private HadoopDaemon run(String name, String... arguments) throws IOException {
    List<String> command = new ArrayList<>(List.of(hadoop()));
    command.addAll(List.of(arguments));
    return HadoopDaemon.start(name, directory, command, environment());
  }

  private void awaitReady() throws ToolException, InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
    Exception last = null;
    while (System.nanoTime() < deadline) {
      for (HadoopDaemon daemon : daemons) {
        daemon.require();
      }
      try {
        if (isReady()) {
          return;
        }
      } catch (IOException | YarnException e) {
        last = e; // a daemon does not listen yet
      }
      Thread.sleep(POLL_MILLIS);
    }
    throw new ToolException("Hadoop is not ready after " + START_SECONDS + " s", last);
  }

  /** A name node that has left its safe mode knows all data nodes. */
  private boolean isReady() throws IOException, YarnException {
    Configuration conf = impatient();
    try (FileSystem fs = FileSystem.newInstance(conf);
        YarnClient yarn = YarnClient.createYarnClient()) {
      fs.mkdirs(new org.apache.hadoop.fs.Path("/tmp")); // refused in safe mode
      yarn.init(conf);
      yarn.start();
      return !yarn.getNodeReports(NodeState.RUNNING).isEmpty();
    }
  }

  private Configuration impatient() {
    Configuration conf = configuration();
    conf.setInt("ipc.client.connect.max.retries", 0);
    conf.setBoolean("dfs.client.retry.policy.enabled", false);
    conf.setInt("dfs.client.failover.max.attempts", 0);
    conf.setInt("yarn.resourcemanager.connect.max-wait.ms", 1000);
    conf.setInt("yarn.resourcemanager.connect.retry-interval.ms", 500);
    return conf;
  }

  /** The command that {@code hbase-compat/hadoop} has in the place of an installation's. */
  public String hadoop() {
    return commands().resolve("hadoop").toString();
  }

  /** The directory of that command, for a {@code PATH}. */
  public Path commands() {
    return checkout.home().resolve("hbase-compat/hadoop/bin");
  }

  /** What leads programs to this cluster. */
  public Map<String, String> environment() {
    return Map.of("HADOOP_CONF_DIR", confDir.toString());
  }

  /** A client's configuration. */
  public Configuration configuration() {
    Configuration conf = new Configuration();
    conf.setBoolean("fs.automatic.close", false); // not before the programs that use it have ended
    for (String name : List.of("core", "hdfs", "yarn", "mapred")) {
      conf.addResource(new org.apache.hadoop.fs.Path(confDir.resolve(name + "-site.xml").toUri()));
    }
    return conf;
  }

  /** The processes of all daemons, application masters and tasks. */
  public List<ProcessHandle> processes() {
    return daemons.stream().flatMap(HadoopDaemon::processes).toList();
  }

  /** Stops all daemons at once, and kills what is left of them and their tasks. */
  @Override
  public void close() {
    List<ProcessHandle> all = processes();
    daemons.forEach(HadoopDaemon::terminate);
    daemons.forEach(HadoopDaemon::awaitEnd);
    all.forEach(ProcessHandle::destroyForcibly);
    daemons.clear();
  }
}
