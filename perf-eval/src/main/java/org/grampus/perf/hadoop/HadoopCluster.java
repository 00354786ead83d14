package org.grampus.perf.hadoop;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.NodeState;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.grampus.perf.ToolException;
import org.grampus.perf.process.Await;
import org.grampus.perf.process.Checkout;
import org.grampus.perf.process.Daemon;

/**
 * HDFS and YARN on this machine: a name node, two data nodes, a resource manager, a node manager
 * and the history of jobs. What is started here is stopped by {@link #close}, tasks included. For
 * one thread.
 */
public final class HadoopCluster implements AutoCloseable {
  private static final int DATA_NODES = 2;

  private static final String YARN = "org.apache.hadoop.yarn.server.";

  private final Path directory;
  private final Hdfs hdfs;
  private final HadoopCommand command;
  private final List<Daemon> daemons = new ArrayList<>();

  private HadoopCluster(Checkout checkout, Path directory) throws IOException {
    this.directory = Files.createDirectories(directory);
    hdfs = Hdfs.create(checkout, directory, HdfsHosts.loopback(DATA_NODES), Map.of());
    command = new HadoopCommand(checkout, hdfs.confDir(), Compilers.FIRST);
    new HadoopSite(directory, checkout.build().resolve("hadoop-lib")).write(hdfs.confDir());
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
    start("resourcemanager", YARN + "resourcemanager.ResourceManager");
    start("nodemanager", YARN + "nodemanager.NodeManager");
    daemons.addAll(hdfs.daemons());
    hdfs.start();
    start("historyserver", "org.apache.hadoop.mapreduce.v2.hs.JobHistoryServer");
  }

  private void start(String name, String type) throws IOException {
    Daemon daemon = command.daemon(name, directory, type);
    daemons.add(daemon);
    daemon.start();
  }

  private void awaitReady() throws ToolException, InterruptedException {
    Await.until("a YARN that takes jobs", daemons, this::isReady);
  }

  private boolean isReady() throws IOException {
    try (YarnClient yarn = YarnClient.createYarnClient()) {
      yarn.init(impatient());
      yarn.start();
      return !yarn.getNodeReports(NodeState.RUNNING).isEmpty();
    } catch (YarnException e) {
      throw new IOException(e); // as when it does not listen yet
    }
  }

  private Configuration impatient() {
    Configuration conf = configuration();
    conf.setInt("yarn.resourcemanager.connect.max-wait.ms", 1000);
    conf.setInt("yarn.resourcemanager.connect.retry-interval.ms", 500);
    return conf;
  }

  /** The directory of {@code hadoop}, for a {@code PATH}. */
  public Path commands() {
    return command.directory();
  }

  /** What leads programs to this cluster. */
  public Map<String, String> environment() {
    return command.environment();
  }

  /** A client's configuration. */
  public Configuration configuration() {
    Configuration conf = hdfs.configuration();
    for (String name : List.of("yarn", "mapred")) {
      conf.addResource(
          new org.apache.hadoop.fs.Path(hdfs.confDir().resolve(name + "-site.xml").toUri()));
    }
    return conf;
  }

  /** The processes of all daemons, application masters and tasks. */
  public List<ProcessHandle> processes() {
    return daemons.stream().flatMap(Daemon::processes).toList();
  }

  /** Stops all daemons at once, and kills what is left of them and their tasks. */
  @Override
  public void close() {
    Daemon.end(daemons);
    daemons.clear();
  }
}
