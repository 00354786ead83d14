package org.grampus.perf.fleet;

import org.apache.hadoop.hbase.client.RegionInfo;
import org.grampus.server.cluster.TransitionReporter.Origin;

/** What is done about an order, and told to the master. Any thread. */
interface Reports {
  /** Opens a region at once and reports it later. */
  void opened(StubServer server, RegionInfo region, Origin origin);

  /** Closes a region at once and reports it later. */
  void closed(StubServer server, RegionInfo region, Origin origin);

  /** Reports an order as failed that has to do with files. */
  void refused(Origin origin);
}
