package org.grampus.server.metrics;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.regionserver.MetricsRegionAggregateSource;
import org.apache.hadoop.metrics2.MetricsCollector;
import org.apache.hadoop.metrics2.MetricsRecordBuilder;
import org.apache.hadoop.metrics2.MetricsSource;
import org.grampus.server.region.OnlineRegion;

/**
 * HBase's bean {@code sub=Regions}: exactly the regions that are online. HBase's own source makes
 * each name and looks for its description with each sample. One thread renews, any thread samples.
 */
public final class RegionSource implements MetricsSource {
  static final String JMX_CONTEXT = MetricsRegionAggregateSource.METRICS_JMX_CONTEXT;
  static final String DESCRIPTION = MetricsRegionAggregateSource.METRICS_DESCRIPTION;

  private volatile Map<OnlineRegion, RegionMetrics> regions = Map.of();

  /** Without regions. */
  public RegionSource() {}

  /**
   * Takes the regions of a snapshot. A region that was opened again is another one.
   *
   * @return whether any has left
   */
  public boolean renew(List<Snapshot.Region> now) {
    Map<OnlineRegion, RegionMetrics> before = regions;
    Map<OnlineRegion, RegionMetrics> online = new LinkedHashMap<>();
    int stayed = 0;
    for (Snapshot.Region each : now) {
      RegionMetrics metrics = before.get(each.region());
      if (metrics == null) {
        metrics = new RegionMetrics(each);
      } else {
        metrics.renew(each);
        stayed++;
      }
      online.put(each.region(), metrics);
    }
    regions = online;
    return stayed < before.size();
  }

  @Override
  public void getMetrics(MetricsCollector collector, boolean all) {
    Map<OnlineRegion, RegionMetrics> sampled = regions;
    MetricsRecordBuilder record = collector.addRecord(MetricsRegionAggregateSource.METRICS_NAME);
    sampled.values().forEach(region -> region.addNumbers(record));
    record.setContext(MetricsRegionAggregateSource.METRICS_CONTEXT);
    sampled.values().forEach(region -> region.addOperations(record));
  }
}
