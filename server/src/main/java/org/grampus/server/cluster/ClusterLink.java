package org.grampus.server.cluster;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Abortable;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionServerInfo;
import org.apache.hadoop.hbase.zookeeper.ClusterStatusTracker;
import org.apache.hadoop.hbase.zookeeper.MasterAddressTracker;
import org.apache.hadoop.hbase.zookeeper.ZKClusterId;
import org.apache.hadoop.hbase.zookeeper.ZKListener;
import org.apache.hadoop.hbase.zookeeper.ZKNodeTracker;
import org.apache.hadoop.hbase.zookeeper.ZKUtil;
import org.apache.hadoop.hbase.zookeeper.ZKWatcher;
import org.apache.hadoop.hbase.zookeeper.ZNodePaths;
import org.apache.zookeeper.KeeperException;
import org.grampus.server.env.Env;
import org.grampus.server.region.LoadReport;
import org.grampus.server.rpc.WriteFence;

/**
 * Our ZooKeeper session. A lost session is fatal: the master has already begun to give our regions
 * away. Trackers keep the master's address and the cluster's running flag current; waits poll them
 * so that a stop request is always heard.
 */
public final class ClusterLink implements AutoCloseable {
  private static final Duration POLL = Duration.ofMillis(10);

  private final ZKWatcher watcher;
  private final MasterAddressTracker master;
  private final ClusterStatusTracker running;
  private final ZKNodeTracker meta;
  private final RegionServerTracker servers;
  private final SessionFence fence;
  private final AtomicBoolean closed = new AtomicBoolean();

  /** Opens the session and starts the trackers. */
  public ClusterLink(Configuration conf, String name, FatalHandler fatal) throws IOException {
    Abortable abortable = new SessionGuard(fatal);
    this.watcher = new ZKWatcher(conf, name, abortable, false);
    this.master = new MasterAddressTracker(watcher, abortable);
    this.running = new ClusterStatusTracker(watcher, abortable);
    this.meta = new MetaTracker(watcher, abortable);
    this.servers = new RegionServerTracker(watcher, abortable);
    this.fence =
        new SessionFence(
            new LeaderContact(
                () -> watcher.getRecoverableZooKeeper().getZooKeeper(),
                watcher.getZNodePaths().baseZNode),
            Env::nanos);
    master.start();
    running.start();
    meta.start();
    fence.start();
  }

  /**
   * Waits for a master and for the cluster to be up, then returns the cluster's id. Ends with
   * InterruptedException once this server is stopping.
   */
  public String awaitCluster(BooleanSupplier stopping) throws IOException, InterruptedException {
    while (!master.hasMaster() || !running.isClusterUp()) {
      if (stopping.getAsBoolean()) {
        throw new InterruptedException("stopped while waiting for a master");
      }
      Env.sleep(POLL);
    }
    servers.start();
    return clusterId();
  }

  /** The cluster's id. */
  public String clusterId() throws IOException {
    try {
      return ZKClusterId.readClusterIdZNode(watcher);
    } catch (KeeperException e) {
      throw new IOException("cannot read the cluster id from ZooKeeper", e);
    }
  }

  /** The active master, if ZooKeeper knows one. */
  public Optional<ServerName> master() {
    return Optional.ofNullable(master.getMasterAddress());
  }

  /** The masters that wait to take over, as they were last told. */
  public List<ServerName> backupMasters() {
    return master.getBackupMasters();
  }

  /** What ZooKeeper says about hbase:meta, as it was last told; null when there is nothing. */
  public byte[] metaState() {
    return meta.getData(false);
  }

  /** Whether this server may write. */
  public WriteFence fence() {
    return fence;
  }

  /**
   * The region servers that are alive, as they were last told, this one included once it is known.
   */
  public List<ServerName> regionServers() {
    return servers.servers();
  }

  /** The session itself, for HBase's own helpers. */
  public ZKWatcher watcher() {
    return watcher;
  }

  /** Runs an action, once and on ZooKeeper's event thread, when the cluster is shut down. */
  public void onClusterDown(Runnable action) {
    watcher.registerListener(new ClusterDownListener(watcher, running, action));
  }

  /**
   * Announces this server; the node lives as long as the session.
   *
   * @param infoPort port of its status page, or {@link LoadReport#NO_INFO_PORT}
   */
  public void register(ServerName server, int infoPort) throws IOException {
    RegionServerInfo info =
        RegionServerInfo.newBuilder()
            .setInfoPort(infoPort)
            .setVersionInfo(ProtobufUtil.getVersionInfo())
            .build();
    try {
      ZKUtil.createEphemeralNodeAndWatch(
          watcher, path(server), ProtobufUtil.prependPBMagic(info.toByteArray()));
    } catch (KeeperException e) {
      throw new IOException("cannot announce " + server + " in ZooKeeper", e);
    }
  }

  /** Takes the announcement back; the master then treats the server as gone. */
  public void unregister(ServerName server) throws IOException {
    try {
      ZKUtil.deleteNodeFailSilent(watcher, path(server));
    } catch (KeeperException e) {
      throw new IOException("cannot remove " + server + " from ZooKeeper", e);
    }
  }

  private String path(ServerName server) {
    return ZNodePaths.joinZNode(watcher.getZNodePaths().rsZNode, server.toString());
  }

  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      fence.close();
      servers.stop();
      meta.stop();
      master.stop();
      running.stop();
      watcher.close();
    }
  }

  /** Watches the state of hbase:meta. */
  private static final class MetaTracker extends ZKNodeTracker {
    MetaTracker(ZKWatcher watcher, Abortable abortable) {
      super(
          watcher,
          watcher.getZNodePaths().getZNodeForReplica(RegionInfo.DEFAULT_REPLICA_ID),
          abortable);
    }
  }

  /** Turns ZooKeeper's abort into ours. */
  private static final class SessionGuard implements Abortable {
    private final FatalHandler fatal;
    private volatile boolean aborted;

    SessionGuard(FatalHandler fatal) {
      this.fatal = fatal;
    }

    @Override
    public void abort(String why, Throwable cause) {
      aborted = true;
      fatal.abort("the ZooKeeper session is lost: " + why, cause);
    }

    @Override
    public boolean isAborted() {
      return aborted;
    }
  }

  /** Sees the running flag go away. */
  private static final class ClusterDownListener extends ZKListener {
    private final ClusterStatusTracker running;
    private final Runnable action;
    private final AtomicBoolean seen = new AtomicBoolean();

    ClusterDownListener(ZKWatcher watcher, ClusterStatusTracker running, Runnable action) {
      super(watcher);
      this.running = running;
      this.action = action;
    }

    @Override
    public void nodeDeleted(String path) {
      if (path.equals(watcher.getZNodePaths().clusterStateZNode)
          && !running.isClusterUp()
          && seen.compareAndSet(false, true)) {
        action.run();
      }
    }
  }
}
