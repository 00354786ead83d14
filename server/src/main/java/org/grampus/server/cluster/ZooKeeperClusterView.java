package org.grampus.server.cluster;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.exceptions.DeserializationException;
import org.apache.hadoop.hbase.master.RegionState;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.grampus.server.env.Env;
import org.grampus.server.service.ClusterView;

/** The cluster as ZooKeeper shows it, kept current by watches. */
public final class ZooKeeperClusterView implements ClusterView {
  private final ClusterLink cluster;
  private final String clusterId;
  private final ServerName self;

  /** A view for one server. */
  public ZooKeeperClusterView(ClusterLink cluster, String clusterId, ServerName self) {
    this.cluster = cluster;
    this.clusterId = clusterId;
    this.self = self;
  }

  @Override
  public String clusterId() {
    return clusterId;
  }

  @Override
  public Optional<ServerName> activeMaster() {
    return cluster.master();
  }

  @Override
  public List<ServerName> backupMasters() {
    return cluster.backupMasters();
  }

  @Override
  public List<HRegionLocation> metaRegionLocations() throws IOException {
    RegionState state = metaState();
    return state.isOpened() && state.getServerName() != null
        ? List.of(new HRegionLocation(state.getRegion(), state.getServerName()))
        : List.of();
  }

  private RegionState metaState() throws IOException {
    try {
      return ProtobufUtil.parseMetaRegionStateFrom(
          cluster.metaState(), RegionInfo.DEFAULT_REPLICA_ID);
    } catch (DeserializationException e) {
      throw new IOException("cannot read what ZooKeeper says about hbase:meta", e);
    }
  }

  @Override
  public List<ServerName> bootstrapNodes(int limit) {
    List<ServerName> servers = new ArrayList<>(cluster.regionServers());
    if (servers.isEmpty()) {
      servers.add(self);
    }
    // at random, so that the clients of a large cluster do not all begin at the same few
    Env.shuffle(servers);
    return servers.size() <= limit ? servers : servers.subList(0, limit);
  }
}
