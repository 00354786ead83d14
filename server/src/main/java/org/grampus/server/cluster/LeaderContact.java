package org.grampus.server.cluster;

import java.util.function.Supplier;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooKeeper;

/**
 * Contact with the leader of ZooKeeper's ensemble, which alone ends sessions. A server that was cut
 * off from it goes on to answer reads for a while; a sync is answered by way of the leader alone.
 */
final class LeaderContact implements SessionFence.Session {
  private final Supplier<ZooKeeper> session;
  private final String path;

  /**
   * Contact by a session, which may be null for a moment while it connects.
   *
   * @param path any; a node need not be there
   */
  LeaderContact(Supplier<ZooKeeper> session, String path) {
    this.session = session;
    this.path = path;
  }

  @Override
  public void ask(Runnable answered) throws KeeperException {
    ZooKeeper zooKeeper = session.get();
    if (zooKeeper == null) {
      throw new KeeperException.ConnectionLossException();
    }
    zooKeeper.sync(
        path,
        (code, synced, context) -> {
          if (code == KeeperException.Code.OK.intValue()) {
            answered.run();
          }
        },
        null);
  }

  @Override
  public int timeoutMillis() {
    ZooKeeper zooKeeper = session.get();
    return zooKeeper == null ? 0 : zooKeeper.getSessionTimeout();
  }
}
