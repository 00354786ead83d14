package org.grampus.server.cluster;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.zookeeper.MetaTableLocator;
import org.grampus.server.service.ClusterView;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The cluster as ZooKeeper shows it. */
public final class ZooKeeperClusterView implements ClusterView {
  private static final Logger LOG = LoggerFactory.getLogger(ZooKeeperClusterView.class);

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
    try {
      return cluster.backupMasters();
    } catch (IOException e) {
      LOG.warn("backup masters are not known now", e);
      return List.of();
    }
  }

  @Override
  public List<HRegionLocation> metaRegionLocations() {
    List<HRegionLocation> locations = new ArrayList<>();
    ServerName meta = MetaTableLocator.getMetaRegionLocation(cluster.watcher());
    if (meta != null) {
      locations.add(new HRegionLocation(RegionInfoBuilder.FIRST_META_REGIONINFO, meta));
    }
    return locations;
  }

  @Override
  public List<ServerName> bootstrapNodes(int limit) {
    return List.of(self);
  }
}
