package org.grampus.server.operator;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.zookeeper.ZKUtil;
import org.apache.hadoop.hbase.zookeeper.ZKWatcher;
import org.apache.hadoop.hbase.zookeeper.ZNodePaths;
import org.apache.zookeeper.KeeperException;

/**
 * Allows one rolling restart of a cluster at a time: two would take what the other has drained, and
 * the balancer that it has switched off, for what was before. A node in ZooKeeper which goes with
 * the session of this process. For one thread.
 */
final class RestartLock implements AutoCloseable {
  private static final String NODE = "grampus-rolling-restart";

  private final ZKWatcher zooKeeper;

  private RestartLock(ZKWatcher zooKeeper) {
    this.zooKeeper = zooKeeper;
  }

  /**
   * Takes it.
   *
   * @param holder who this is, for another one that comes
   * @throws IOException when there is another one, or no ZooKeeper
   */
  static RestartLock take(Configuration conf, String holder) throws IOException {
    RestartLock lock = new RestartLock(new ZKWatcher(conf, NODE, null));
    try {
      lock.create(holder);
      return lock;
    } catch (IOException | RuntimeException e) {
      lock.close();
      throw e;
    }
  }

  private void create(String holder) throws IOException {
    String node = ZNodePaths.joinZNode(zooKeeper.getZNodePaths().baseZNode, NODE);
    try {
      if (!ZKUtil.createEphemeralNodeAndWatch(zooKeeper, node, Bytes.toBytes(holder))) {
        throw new IOException(
            "another rolling restart of this cluster is under way, "
                + Bytes.toString(ZKUtil.getDataNoWatch(zooKeeper, node, null))
                + "; begin again when it has ended");
      }
    } catch (KeeperException e) {
      throw new IOException("cannot ask ZooKeeper whether another rolling restart runs", e);
    }
  }

  /** Gives it back. */
  @Override
  public void close() {
    zooKeeper.close();
  }
}
