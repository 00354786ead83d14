package org.grampus.perf.cluster;

import java.util.Map;

/**
 * How large a cluster is to be.
 *
 * @param dataNodes each has a replica of every block
 * @param masters one is active, the others stand by
 * @param regionServers all of Grampus
 * @param sessionMillis a server that ZooKeeper has not heard for so long is dead, in milliseconds
 * @param settings keys of hbase-site.xml beside those of the cluster
 */
public record ClusterPlan(
    int dataNodes,
    int masters,
    int regionServers,
    int sessionMillis,
    Map<String, String> settings) {
  /** Copies the settings. */
  public ClusterPlan {
    settings = Map.copyOf(settings);
  }
}
