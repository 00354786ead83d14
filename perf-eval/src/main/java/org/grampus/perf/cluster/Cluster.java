package org.grampus.perf.cluster;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.grampus.compat.suite.target.FreePorts;
import org.grampus.compat.suite.target.ImpatientClient;
import org.grampus.perf.ToolException;
import org.grampus.perf.hadoop.Hdfs;
import org.grampus.perf.process.Await;
import org.grampus.perf.process.Checkout;
import org.grampus.perf.process.ClientProgram;
import org.grampus.perf.process.Daemon;
import org.grampus.perf.process.EmptyDirectory;
import org.grampus.perf.process.HBaseDaemons;

/**
 * HDFS, ZooKeeper, stock HMasters and Grampus's region servers on this machine, each a process of
 * its own with its own ports. What is started here is stopped by {@link #close}. For one thread.
 */
public final class Cluster implements AutoCloseable {
  /** What a client sees of a cluster that serves: {@code default} and {@code hbase}. */
  private static final int NAMESPACES = 2;

  private final Checkout checkout;
  private final Path directory;
  private final ClusterPlan plan;
  private final Network network;
  private final Hdfs hdfs;
  private final Map<String, String> site;
  private final List<Node> nodes = new ArrayList<>();

  private Cluster(Checkout checkout, Path directory, ClusterPlan plan, Network network)
      throws ToolException, IOException {
    this.checkout = checkout;
    this.directory = EmptyDirectory.create(directory);
    this.plan = plan;
    this.network = network;
    hdfs = Hdfs.create(checkout, directory, network.hdfs(plan.dataNodes()), ClusterSite.hdfs());
    String root = hdfs.uri() + "/hbase";
    ClusterSite keys = new ClusterSite(directory, root, FreePorts.next(), plan, network);
    site = keys.hbase();
    keys.write(hdfs.confDir());
    nodes.add(new Node(Role.NAME_NODE, 0, hdfs.nameNode()));
    hdfs.dataNodes().forEach(daemon -> nodes.add(new Node(Role.DATA_NODE, 0, daemon)));
    nodes.add(new Node(Role.ZOOKEEPER, 0, daemons().zooKeeper()));
    for (int i = 1; i <= plan.masters(); i++) {
      nodes.add(master(i));
    }
    for (int i = 1; i <= plan.regionServers(); i++) {
      nodes.add(regionServer(i));
    }
  }

  /** The same on loopback. */
  public static Cluster start(Checkout checkout, Path directory, ClusterPlan plan)
      throws ToolException, IOException, InterruptedException {
    return start(checkout, directory, plan, Network.LOOPBACK);
  }

  /**
   * Starts a new cluster and returns once it serves.
   *
   * @param directory its own, empty or not there
   * @throws ToolException when a process ends, or the cluster does not serve after two minutes
   */
  public static Cluster start(Checkout checkout, Path directory, ClusterPlan plan, Network network)
      throws ToolException, IOException, InterruptedException {
    Cluster cluster = new Cluster(checkout, directory.toAbsolutePath(), plan, network);
    try {
      cluster.startAll();
      return cluster;
    } catch (ToolException | IOException | InterruptedException | RuntimeException e) {
      cluster.close();
      throw e;
    }
  }

  private HBaseDaemons daemons() {
    return new HBaseDaemons(checkout, directory, hdfs.confDir());
  }

  private Node master(int number) throws IOException {
    int port = FreePorts.next();
    HBaseDaemons masters =
        plan.masterJvm()
            .map(jvm -> new HBaseDaemons(checkout, directory, hdfs.confDir(), jvm))
            .orElseGet(this::daemons);
    return new Node(
        Role.MASTER, port, masters.master("master" + number, "-Dhbase.master.port=" + port));
  }

  private Node regionServer(int number) throws IOException {
    int port = FreePorts.next();
    String name = "regionserver" + number;
    Map<String, String> variables = new LinkedHashMap<>(environment());
    variables.put("GRAMPUS_HEAP", "256m");
    variables.put("GRAMPUS_LOG_DIR", directory.resolve(name + "-logs").toString());
    String host = network.host(Role.REGION_SERVER, number);
    List<String> command = new ArrayList<>(network.prefix(Role.REGION_SERVER, number));
    command.addAll(
        List.of(
            checkout.grampus(),
            "regionserver",
            "-Dhbase.regionserver.port=" + port,
            "-Dhbase.regionserver.hostname=" + host,
            "-Dhbase.regionserver.ipc.address=" + host));
    return new Node(Role.REGION_SERVER, port, new Daemon(name, directory, command, variables));
  }

  private void startAll() throws ToolException, IOException, InterruptedException {
    hdfs.start();
    for (Node node : nodes) {
      if (!node.daemon().runs()) {
        node.daemon().start();
      }
    }
    Await.until("a cluster that serves", nodes.stream().map(Node::daemon).toList(), this::serves);
  }

  private boolean serves() throws IOException {
    try (Connection connection =
            ConnectionFactory.createConnection(ImpatientClient.of(configuration()));
        Admin admin = connection.getAdmin()) {
      return admin.listNamespaceDescriptors().length >= NAMESPACES
          && admin.getRegionServers().size() == plan.regionServers();
    }
  }

  /** A client's configuration. */
  public Configuration configuration() {
    Configuration conf = HBaseConfiguration.create(hdfs.configuration());
    site.forEach(conf::set);
    return conf;
  }

  /** Its file system. */
  public Hdfs hdfs() {
    return hdfs;
  }

  /** Environment variables of programs that use the cluster, {@code bin/grampus} among them. */
  public Map<String, String> environment() {
    return daemons().environment();
  }

  /** {@code bin/grampus} with arguments, as a client of the cluster. */
  public ClientProgram grampus(String... arguments) {
    return new ClientProgram(
            Stream.concat(Stream.of(checkout.grampus()), Stream.of(arguments)).toList())
        .environment(environment());
  }

  /** How long ZooKeeper waits for a server that it does not hear, in milliseconds. */
  public int sessionMillis() {
    return plan.sessionMillis();
  }

  /** Where its logs are. */
  public Path directory() {
    return directory;
  }

  /** Its processes of one role. */
  public List<Node> nodes(Role role) {
    return nodes.stream().filter(node -> node.role() == role).toList();
  }

  /** All its processes. */
  public List<Node> nodes() {
    return List.copyOf(nodes);
  }

  /** Whether no process has ended. */
  public boolean runs() {
    return nodes.stream().allMatch(node -> node.daemon().runs());
  }

  /**
   * Fails when a process has ended.
   *
   * @throws ToolException with the end of what it printed
   */
  public void require() throws ToolException {
    for (Node node : nodes) {
      node.daemon().require();
    }
  }

  /** The master that is active now, if one is. */
  public Optional<Node> activeMaster(Connection connection) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      int port = admin.getMaster().getPort();
      return nodes(Role.MASTER).stream().filter(node -> node.port() == port).findFirst();
    }
  }

  /**
   * Whether the active master knows all region servers as the processes that they are now, and each
   * serves: one that was killed is in its list until its session ends, and so is one that will end
   * by itself, or that has only begun to start.
   */
  public boolean isComplete(Connection connection) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      Map<Integer, ServerName> known = new HashMap<>();
      for (ServerName server : admin.getRegionServers()) {
        known.put(server.getPort(), server);
      }
      for (Node node : nodes(Role.REGION_SERVER)) {
        ServerName server = known.get(node.port());
        if (server == null
            || server.getStartCode() < node.daemon().startedAt()
            || !says(node, "is serving: region server " + server)) {
          return false;
        }
      }
      return true;
    }
  }

  /** Whether a line of its log says so; the log may have a character that is cut. */
  private static boolean says(Node node, String what) throws IOException {
    try (Stream<String> lines = Files.lines(node.daemon().log(), StandardCharsets.ISO_8859_1)) {
      return lines.anyMatch(line -> line.contains(what));
    }
  }

  /** Stops all processes, region servers and masters before what they need. */
  @Override
  public void close() {
    for (List<Role> together :
        List.of(
            List.of(Role.REGION_SERVER),
            List.of(Role.MASTER),
            List.of(Role.ZOOKEEPER, Role.NAME_NODE, Role.DATA_NODE))) {
      Daemon.end(
          nodes.stream().filter(node -> together.contains(node.role())).map(Node::daemon).toList());
    }
  }
}
