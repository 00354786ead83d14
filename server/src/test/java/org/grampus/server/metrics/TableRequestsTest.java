package org.grampus.server.metrics;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.metrics.MetricRegistries;
import org.apache.hadoop.hbase.metrics.MetricRegistry;
import org.grampus.server.region.BlockWeights;
import org.grampus.server.region.OnlineRegion;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** When the registry of a table, which HBase's adapter finds by its name, comes and goes. */
class TableRequestsTest {
  private static final TableName TABLE = TableName.valueOf("comes_and_goes");

  private final Snapshot.Region region = region();
  private long nanos;
  private final TableRequests requests =
      new TableRequests(HBaseConfiguration.create(), () -> nanos);

  @AfterEach
  void close() {
    requests.close();
  }

  private static Snapshot.Region region() {
    RegionInfo info = RegionInfoBuilder.newBuilder(TABLE).build();
    OnlineRegion online =
        new OnlineRegion(info, TableDescriptorBuilder.newBuilder(TABLE).build(), null, 1);
    return new Snapshot.Region(online, null, BlockWeights.NONE, 0, 0, 0);
  }

  private static Optional<MetricRegistry> registry() {
    return MetricRegistries.global().getMetricRegistries().stream()
        .filter(
            each -> each.getMetricRegistryInfo().getMetricsName().endsWith(TABLE.getNameAsString()))
        .findFirst();
  }

  @Test
  void aTableThatComesBackSoonKeepsItsNumbers() {
    requests.renew(List.of(region));
    MetricRegistry before = registry().orElseThrow();
    nanos = TableRequests.KEPT_NANOS;
    requests.renew(List.of());
    assertSame(before, registry().orElseThrow());
    requests.renew(List.of(region));
    nanos = 2 * TableRequests.KEPT_NANOS;
    requests.renew(List.of());
    assertSame(before, registry().orElseThrow(), "online half a minute ago");
  }

  @Test
  void oneThatHasLostItsBeanGetsNoOtherBeforeTheOldOneIsForgotten() {
    requests.renew(List.of(region));
    nanos = TableRequests.KEPT_NANOS + 1;
    requests.renew(List.of());
    assertFalse(registry().isPresent(), "latencies of a table that is gone");
    nanos += TableRequests.TWO_POLLS_NANOS;
    requests.renew(List.of(region));
    requests.of(region.region()).updateGet(1, 0);
    requests.of(region.region()).updateTableReadQueryMeter(1);
    assertFalse(registry().isPresent(), "a registry that the adapter may take for the old one");
    nanos++;
    requests.renew(List.of(region));
    assertTrue(registry().isPresent());
  }

  @Test
  void whatEndsAfterTheCloseMakesNoBean() {
    requests.renew(List.of(region));
    requests.close();
    requests.of(region.region()).updateGet(1, 0);
    requests.renew(List.of(region));
    assertFalse(registry().isPresent());
  }
}
