package org.grampus.server.master;

import java.io.File;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.zookeeper.MiniZooKeeperCluster;

/**
 * HBase's in-process ZooKeeper on the port and below the directory that the configuration names.
 */
public final class EmbeddedZooKeeper implements AutoCloseable {
  private final MiniZooKeeperCluster cluster;
  private final int port;

  private EmbeddedZooKeeper(MiniZooKeeperCluster cluster, int port) {
    this.cluster = cluster;
    this.port = port;
  }

  /** Starts it; the port in the configuration must be free, another is never taken silently. */
  public static EmbeddedZooKeeper start(Configuration conf)
      throws IOException, InterruptedException {
    int wanted =
        conf.getInt(HConstants.ZOOKEEPER_CLIENT_PORT, HConstants.DEFAULT_ZOOKEEPER_CLIENT_PORT);
    MiniZooKeeperCluster cluster = new MiniZooKeeperCluster(conf);
    if (wanted > 0) {
      cluster.setDefaultClientPort(wanted);
    }
    File dataDir = new File(conf.get(HConstants.ZOOKEEPER_DATA_DIR));
    ZooKeeperLogs.removeUnfinished(dataDir.toPath());
    int port = cluster.startup(dataDir);
    if (wanted > 0 && port != wanted) {
      cluster.shutdown();
      throw new IOException(
          "ZooKeeper could not have port "
              + wanted
              + " ("
              + HConstants.ZOOKEEPER_CLIENT_PORT
              + ")");
    }
    return new EmbeddedZooKeeper(cluster, port);
  }

  /** The client port. */
  public int port() {
    return port;
  }

  @Override
  public void close() throws IOException {
    cluster.shutdown();
  }
}
