package org.grampus.perf.cluster;

import java.util.Map;
import java.util.Optional;

/**
 * How large a cluster is to be.
 *
 * @param dataNodes each has a replica of every block
 * @param masters one is active, the others stand by
 * @param regionServers all of Grampus
 * @param sessionMillis a server that ZooKeeper has not heard for so long is dead, in milliseconds
 * @param settings keys of hbase-site.xml beside those of the cluster
 * @param masterJvm options of the masters' JVMs, where small ones would not do
 */
public record ClusterPlan(
    int dataNodes,
    int masters,
    int regionServers,
    int sessionMillis,
    Map<String, String> settings,
    Optional<String> masterJvm) {
  /** Copies the settings. */
  public ClusterPlan {
    settings = Map.copyOf(settings);
  }

  /** With small masters. */
  public ClusterPlan(
      int dataNodes,
      int masters,
      int regionServers,
      int sessionMillis,
      Map<String, String> settings) {
    this(dataNodes, masters, regionServers, sessionMillis, settings, Optional.empty());
  }
}
