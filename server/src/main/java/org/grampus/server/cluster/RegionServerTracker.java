package org.grampus.server.cluster;

import java.util.List;
import org.apache.hadoop.hbase.Abortable;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.zookeeper.ZKListener;
import org.apache.hadoop.hbase.zookeeper.ZKUtil;
import org.apache.hadoop.hbase.zookeeper.ZKWatcher;
import org.apache.zookeeper.KeeperException;

/**
 * The region servers that ZooKeeper announces, kept current by a watch. Until {@link #start} there
 * are none.
 */
final class RegionServerTracker extends ZKListener {
  private final Abortable abortable;
  private volatile List<ServerName> servers = List.of();
  private volatile boolean stopped;

  RegionServerTracker(ZKWatcher watcher, Abortable abortable) {
    super(watcher);
    this.abortable = abortable;
  }

  /** Begins to watch. The master has created the node by then. */
  void start() {
    watcher.registerListener(this);
    list();
  }

  /** A change that comes while the session is closed is no error. */
  void stop() {
    stopped = true;
    watcher.unregisterListener(this);
  }

  /** The servers that are alive, as they were last told. */
  List<ServerName> servers() {
    return servers;
  }

  @Override
  public void nodeChildrenChanged(String path) {
    if (path.equals(watcher.getZNodePaths().rsZNode)) {
      list();
    }
  }

  /** Lists and watches again; a watch tells of one change. */
  private synchronized void list() {
    String parent = watcher.getZNodePaths().rsZNode;
    try {
      List<String> names = ZKUtil.listChildrenAndWatchForNewChildren(watcher, parent);
      servers =
          names == null ? List.of() : names.stream().map(ServerName::parseServerName).toList();
    } catch (KeeperException e) {
      if (stopped) {
        return;
      }
      abortable.abort("cannot list the servers of " + parent + " in ZooKeeper", e);
    }
  }
}
