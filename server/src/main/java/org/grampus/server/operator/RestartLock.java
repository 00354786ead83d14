package org.grampus.server.operator;

import java.io.IOException;
import java.time.Duration;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.zookeeper.ZKUtil;
import org.apache.hadoop.hbase.zookeeper.ZKWatcher;
import org.apache.hadoop.hbase.zookeeper.ZNodePaths;
import org.apache.zookeeper.KeeperException;

/**
 * Allows one rolling restart of a cluster at a time: two would take what the other has drained, and
 * the balancer that it has switched off, for what was before. A node in ZooKeeper which goes with
 * the session of this process. Taken by one thread, and closed by any.
 */
final class RestartLock implements AutoCloseable {
  private static final String NODE = "grampus-rolling-restart";

  /** A node that has gone before its holder could be read may be there again. */
  private static final int TRIES_MAX = 2;

  /** The node, as one who comes sees it. */
  interface Node {
    /** Makes it; false when it is there. */
    boolean create() throws KeeperException;

    /** What its holder has written, or null when it is not there any more. */
    byte[] holder() throws KeeperException;

    /** How it goes by itself. */
    String ending();
  }

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
      take(lock.node(holder));
      return lock;
    } catch (IOException | RuntimeException e) {
      lock.close();
      throw e;
    }
  }

  /** Takes the node, unless another holds it. */
  static void take(Node node) throws IOException {
    try {
      for (int tries = 0; tries < TRIES_MAX; tries++) {
        if (node.create()) {
          return;
        }
        byte[] holder = node.holder();
        if (holder != null) {
          throw new IOException(
              "another rolling restart of this cluster is under way, "
                  + Bytes.toString(holder)
                  + "; begin again when it has ended: "
                  + node.ending());
        }
      }
    } catch (KeeperException e) {
      throw new IOException("cannot ask ZooKeeper whether another rolling restart runs", e);
    }
    throw new IOException("other rolling restarts of this cluster begin and end; begin again");
  }

  private Node node(String holder) {
    String path = ZNodePaths.joinZNode(zooKeeper.getZNodePaths().baseZNode, NODE);
    return new Node() {
      @Override
      public boolean create() throws KeeperException {
        return ZKUtil.createEphemeralNodeAndWatch(zooKeeper, path, Bytes.toBytes(holder));
      }

      @Override
      public byte[] holder() throws KeeperException {
        return ZKUtil.getDataNoWatch(zooKeeper, path, null);
      }

      @Override
      public String ending() {
        int millis = zooKeeper.getRecoverableZooKeeper().getZooKeeper().getSessionTimeout();
        return path
            + " in ZooKeeper goes with it, or with its session, at most "
            + Duration.ofMillis(millis).toSeconds()
            + " s after a kill -9";
      }
    };
  }

  /** Gives it back. */
  @Override
  public void close() {
    zooKeeper.close();
  }
}
