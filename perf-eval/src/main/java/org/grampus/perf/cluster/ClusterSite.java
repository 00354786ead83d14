package org.grampus.perf.cluster;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.grampus.perf.hadoop.SiteFile;
import org.grampus.perf.process.HBaseDaemons;

/**
 * What all processes and clients of a cluster read, with timeouts as short as its sessions: a test
 * waits for each death. Immutable.
 *
 * @param directory of all that the cluster keeps
 * @param root the URI of {@code hbase.rootdir}
 * @param zooKeeperPort that ZooKeeper listens on
 * @param plan the cluster's size and sessions
 * @param network where its processes are
 */
record ClusterSite(
    Path directory, String root, int zooKeeperPort, ClusterPlan plan, Network network) {
  private static final long MEMORY_BYTES = 1L << 30;

  /** dfs.client.socket-timeout: a peer of HDFS that does not answer is left for another one. */
  private static final int SOCKET_MILLIS = 3000;

  private static final int BALANCER_MILLIS = 5000;

  /** ZooKeeper grants sessions of two to twenty ticks. */
  private static final int TICK_MILLIS = 1000;

  /** Keys of hdfs-site.xml for daemons and clients. */
  static Map<String, String> hdfs() {
    Map<String, String> keys = new LinkedHashMap<>();
    keys.put("dfs.client.socket-timeout", String.valueOf(SOCKET_MILLIS));
    keys.put("dfs.client.block.write.replace-datanode-on-failure.best-effort", "true");
    keys.put("dfs.heartbeat.interval", "1");
    keys.put("dfs.namenode.heartbeat.recheck-interval", "3000");
    keys.put("dfs.namenode.stale.datanode.interval", "3000");
    keys.put("dfs.namenode.avoid.read.stale.datanode", "true");
    keys.put("dfs.namenode.avoid.write.stale.datanode", "true");
    return keys;
  }

  /** Keys of hbase-site.xml. */
  Map<String, String> hbase() {
    Map<String, String> keys = new LinkedHashMap<>(HBaseDaemons.settings(root, directory));
    String zooKeeper = network.host(Role.ZOOKEEPER, 1);
    String master = network.host(Role.MASTER, 1);
    keys.put("hbase.zookeeper.quorum", zooKeeper);
    keys.put("hbase.zookeeper.property.clientPortAddress", zooKeeper);
    keys.put("hbase.master.hostname", master);
    keys.put("hbase.master.ipc.address", master);
    keys.put("hbase.zookeeper.property.clientPort", String.valueOf(zooKeeperPort));
    keys.put("hbase.zookeeper.property.tickTime", String.valueOf(TICK_MILLIS));
    keys.put("zookeeper.session.timeout", String.valueOf(plan.sessionMillis()));
    keys.put("hbase.master.wait.on.regionservers.mintostart", String.valueOf(plan.regionServers()));
    // A server that comes back is to have regions before the next fault.
    keys.put("hbase.balancer.period", String.valueOf(BALANCER_MILLIS));
    keys.put("hbase.lease.recovery.first.pause", "1000");
    keys.put("hbase.lease.recovery.dfs.timeout", String.valueOf(2 * SOCKET_MILLIS));
    keys.put("grampus.memory.bytes", String.valueOf(MEMORY_BYTES));
    keys.putAll(plan.settings());
    return keys;
  }

  /** Writes hbase-site.xml. */
  void write(Path conf) throws IOException {
    Configuration site = new Configuration(false);
    hbase().forEach(site::set);
    SiteFile.write(conf, "hbase-site.xml", site);
  }
}
