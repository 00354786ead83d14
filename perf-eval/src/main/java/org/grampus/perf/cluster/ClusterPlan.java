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
  private static final int DATA_NODES = 3;
  private static final int MASTERS = 2;

  /**
   * One whose processes are to fail: small memstores, so that column files are written meanwhile.
   *
   * @param sessionMillis as above
   */
  public static ClusterPlan forTrouble(int regionServers, int sessionMillis) {
    return new ClusterPlan(
        DATA_NODES,
        MASTERS,
        regionServers,
        sessionMillis,
        Map.of(
            "hbase.hregion.memstore.flush.size", "1048576", "hbase.table.sanity.checks", "false"));
  }

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
