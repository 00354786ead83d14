package org.grampus.server.metrics;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.metrics.Meter;
import org.apache.hadoop.hbase.metrics.MetricRegistry;
import org.apache.hadoop.hbase.regionserver.MetricsRegionServer;

/** The server's meters of rows read and of mutations, where they are switched on. Any thread. */
final class Meters {
  private final Meter reads;
  private final Meter writes;

  private Meters(Meter reads, Meter writes) {
    this.reads = reads;
    this.writes = writes;
  }

  /** As {@code hbase.regionserver.enable.server.query.meter} says. */
  static Meters of(Configuration conf, MetricRegistry registry) {
    boolean enabled =
        conf.getBoolean(
            MetricsRegionServer.RS_ENABLE_SERVER_QUERY_METER_METRICS_KEY,
            MetricsRegionServer.RS_ENABLE_SERVER_QUERY_METER_METRICS_KEY_DEFAULT);
    return enabled
        ? new Meters(
            registry.meter("ServerReadQueryPerSecond"), registry.meter("ServerWriteQueryPerSecond"))
        : new Meters(null, null);
  }

  void mark(long rowsRead, long mutations) {
    if (reads != null) {
      reads.mark(rowsRead);
      writes.mark(mutations);
    }
  }
}
