package org.grampus.server.service;

import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.RegionLoadStats;
import org.grampus.server.region.OnlineRegion;

/**
 * What a Multi's reply says of the load of each region that it came to, by which clients put off
 * their writes ({@code hbase.client.backpressure.enabled}). Any thread; must not block.
 */
@FunctionalInterface
public interface LoadStatistics {
  /** Says nothing. */
  LoadStatistics NONE = region -> null;

  /** The load of a region and its server, in percent; null where clients are not told. */
  RegionLoadStats of(OnlineRegion region);
}
