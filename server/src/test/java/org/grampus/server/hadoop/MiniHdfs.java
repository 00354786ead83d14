package org.grampus.server.hadoop;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.security.PrivilegedExceptionAction;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.MiniDFSNNTopology;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.namenode.ha.ConfiguredFailoverProxyProvider;
import org.apache.hadoop.metrics2.AbstractMetric;
import org.apache.hadoop.metrics2.MetricsRecord;
import org.apache.hadoop.metrics2.impl.MetricsCollectorImpl;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.security.UserGroupInformation;
import org.grampus.server.env.Env;

/**
 * HDFS in this JVM: name nodes and three data nodes, each with a replica of every block. Its
 * superuser is another user than that of the tests, who owns {@code /hbase}.
 */
final class MiniHdfs implements AutoCloseable {
  private static final int DATA_NODES = 3;
  private static final String SUPERUSER = "hdfs";
  private static final FsPermission EVERYONE = new FsPermission((short) 0777);

  /** The name of a pair of name nodes, which no machine has. */
  private static final String PAIR = "pair";

  private final Configuration conf = HBaseConfiguration.create();
  private final boolean isPair;
  private final MiniDFSCluster cluster;
  private final DistributedFileSystem superusers;

  /** With one name node. */
  MiniHdfs(java.nio.file.Path directory) throws IOException {
    this(directory, false, null);
  }

  /** With two name nodes, of which the first is active. */
  static MiniHdfs withTwoNameNodes(java.nio.file.Path directory) throws IOException {
    return new MiniHdfs(directory, true, null);
  }

  /** With one name node, and data nodes whose hosts are called so: as many as there are. */
  static MiniHdfs withHosts(java.nio.file.Path directory, List<String> hosts) throws IOException {
    return new MiniHdfs(directory, false, hosts.toArray(String[]::new));
  }

  private MiniHdfs(java.nio.file.Path directory, boolean isPair, String[] hosts)
      throws IOException {
    this.isPair = isPair;
    // Other tests share a local file system that data nodes do not take, and do not take theirs.
    FileSystem.closeAll();
    conf.setInt("dfs.replication", DATA_NODES);
    conf.setInt("dfs.heartbeat.interval", 1);
    conf.setBoolean(
        "dfs.client.block.write.replace-datanode-on-failure.best-effort", true); // no fourth node
    if (isPair) { // data nodes that try to connect to a dead one hold up each other's end
      conf.setInt("ipc.client.connect.max.retries", 0);
    }
    cluster = as(SUPERUSER, () -> start(directory, hosts));
    if (isPair) {
      describePair();
    }
    conf.set("hbase.rootdir", uri("/hbase"));
    conf.set("fs.defaultFS", uri("/"));
    superusers =
        as(
            SUPERUSER,
            () -> (DistributedFileSystem) FileSystem.newInstance(new URI(uri("/")), conf));
    Path root = new Path("/hbase");
    superusers.mkdirs(root);
    superusers.setOwner(root, UserGroupInformation.getLoginUser().getShortUserName(), null);
    superusers.setPermission(new Path("/"), EVERYONE);
  }

  private MiniDFSCluster start(java.nio.file.Path directory, String[] hosts) throws IOException {
    MiniDFSCluster.Builder builder =
        new MiniDFSCluster.Builder(conf, new File(directory.toUri()))
            .numDataNodes(DATA_NODES)
            .hosts(hosts);
    if (!isPair) {
      return active(builder.build());
    }
    MiniDFSCluster started = builder.nnTopology(MiniDFSNNTopology.simpleHATopology()).build();
    started.transitionToActive(0);
    return active(started);
  }

  private static MiniDFSCluster active(MiniDFSCluster started) throws IOException {
    started.waitActive();
    return started;
  }

  /** What a client's configuration says of a pair. */
  private void describePair() {
    conf.set("dfs.nameservices", PAIR);
    conf.set("dfs.ha.namenodes." + PAIR, "nn0,nn1");
    for (int node = 0; node < 2; node++) {
      conf.set(
          "dfs.namenode.rpc-address." + PAIR + ".nn" + node,
          "localhost:" + cluster.getNameNodePort(node));
    }
    conf.set(
        "dfs.client.failover.proxy.provider." + PAIR,
        ConfiguredFailoverProxyProvider.class.getName());
  }

  /** The active name node of a pair dies, and the other takes over. */
  void failOver() throws IOException {
    as(
        SUPERUSER,
        () -> {
          cluster.shutdownNameNode(0);
          cluster.transitionToActive(1);
          cluster.waitActive(1);
          return null;
        });
  }

  /** Does something as another user. */
  static <T> T as(String user, PrivilegedExceptionAction<T> action) throws IOException {
    try {
      return UserGroupInformation.createUserForTesting(user, new String[] {user}).doAs(action);
    } catch (InterruptedException e) {
      throw new InterruptedIOException(e.toString());
    }
  }

  /** Settings of a server whose root directory is {@code /hbase} here. */
  Configuration conf() {
    return new Configuration(conf);
  }

  String uri(String path) {
    return (isPair ? "hdfs://" + PAIR : cluster.getURI()) + path;
  }

  /** The superuser's. */
  DistributedFileSystem fs() {
    return superusers;
  }

  /** How often a data node has synced a block to its media, all together. */
  long mediaSyncs() {
    MetricsCollectorImpl found = new MetricsCollectorImpl();
    for (DataNode dataNode : cluster.getDataNodes()) {
      String name = dataNode.getMetrics().name();
      DefaultMetricsSystem.instance().getSource(name).getMetrics(found, /* all= */ true);
    }
    List<? extends MetricsRecord> records = found.getRecords();
    long syncs = 0;
    for (MetricsRecord record : records) {
      for (AbstractMetric metric : record.metrics()) {
        syncs += metric.name().equals("FsyncCount") ? metric.value().longValue() : 0;
      }
    }
    return syncs;
  }

  /** Blocks that are being written, once for each replica. */
  int writers() {
    return cluster.getDataNodes().stream().mapToInt(DataNode::getXceiverCount).sum();
  }

  /** A data node dies, in the middle of what it writes. */
  MiniDFSCluster.DataNodeProperties stopDataNode() {
    return cluster.stopDataNode(0);
  }

  /** The name node ends and begins again, and waits for no data node. */
  void restartNameNode() throws Exception {
    as(
        SUPERUSER,
        () -> {
          cluster.restartNameNode(/* waitActive= */ false);
          return null;
        });
    await(this::serves, "the name node does not serve");
  }

  private boolean serves() {
    try {
      return !superusers.isInSafeMode();
    } catch (IOException e) { // a connection to the one before
      return false;
    }
  }

  /** All that were stopped come back. */
  void start(List<MiniDFSCluster.DataNodeProperties> dataNodes) throws IOException {
    as(
        SUPERUSER,
        () -> {
          for (MiniDFSCluster.DataNodeProperties dataNode : dataNodes) {
            cluster.restartDataNode(dataNode, /* keepPort= */ true); // clients know it by that
          }
          cluster.waitActive();
          return null;
        });
  }

  /** Waits for what must be so within a minute. */
  static void await(Callable<Boolean> condition, String otherwise) throws Exception {
    long begun = Env.nanos();
    while (!condition.call()) {
      assertTrue(Env.nanos() - begun < 60_000_000_000L, otherwise);
      Env.sleep(Duration.ofMillis(50));
    }
  }

  @Override
  public void close() throws IOException {
    cluster.shutdown();
    FileSystem.closeAll();
  }
}
