package org.grampus.server.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.metrics.Histogram;
import org.apache.hadoop.hbase.metrics.Metric;
import org.apache.hadoop.hbase.metrics.MetricRegistries;
import org.apache.hadoop.hbase.regionserver.MetricsTableAggregateSourceImpl;
import org.apache.hadoop.hbase.regionserver.MetricsTableSourceImpl;
import org.apache.hadoop.metrics2.lib.DynamicMetricsRegistry;
import org.apache.hadoop.metrics2.lib.MutableHistogram;
import org.apache.hadoop.metrics2.lib.MutableMetric;
import org.grampus.server.region.BlockWeights;
import org.grampus.server.region.OnlineRegion;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** That HBase's sources of a table use histograms which take memory with their values alone. */
class TableHistogramsTest {
  private static final TableName TABLE = TableName.valueOf("space", "idle");

  private final TableRequests requests =
      new TableRequests(HBaseConfiguration.create(), System::nanoTime);

  @AfterEach
  void close() {
    requests.close();
  }

  private static MetricsTableAggregateSourceImpl aggregate(String name) {
    return new MetricsTableAggregateSourceImpl(
        name, "", "regionserver", "RegionServer,sub=" + name);
  }

  private static MetricsTableSourceImpl register(MetricsTableAggregateSourceImpl all) {
    MetricsTableSourceImpl source =
        new MetricsTableSourceImpl(TABLE.getNameAsString(), all, new TableNumbers());
    source.registerMetrics();
    return source;
  }

  private static Object histogramOf(MutableMetric metric) throws ReflectiveOperationException {
    Field histogram = MutableHistogram.class.getDeclaredField("histogram");
    histogram.setAccessible(true);
    return histogram.get(metric);
  }

  @SuppressWarnings("RestrictedApi") // no other method of it tells what it has
  private static List<Object> histograms(DynamicMetricsRegistry registry)
      throws ReflectiveOperationException {
    List<Object> histograms = new ArrayList<>();
    for (MutableMetric metric : registry.getMetricsMap().values()) {
      if (metric instanceof MutableHistogram) {
        histograms.add(histogramOf(metric));
      }
    }
    return histograms;
  }

  private static long dense(Collection<?> histograms) {
    return histograms.stream().filter(each -> ((SparseHistogram) each).isDense()).count();
  }

  @Test
  void workOfATableTakesMemoryWhereItHasManyValuesAlone() throws Exception {
    MetricsTableAggregateSourceImpl all = aggregate("SparseTables");
    try {
      TableHistograms.add(TABLE.getNameAsString(), all.getMetricsRegistry());
      MetricsTableSourceImpl source = register(all);
      for (int i = 0; i <= SparseHistogram.FEW_MAX; i++) {
        source.updateFlushTime(i);
      }
      source.updateCompactionInputSize(true, 1);

      List<Object> histograms = histograms(all.getMetricsRegistry());
      assertEquals(14, histograms.size());
      assertEquals(1, dense(histograms));
    } finally {
      Sources.remove(all);
    }
  }

  @Test
  void theBeanOfAnIdleTableIsThatOfHBase() {
    MetricsTableAggregateSourceImpl ours = aggregate("OurTables");
    MetricsTableAggregateSourceImpl stock = aggregate("StockTables");
    try {
      TableHistograms.add(TABLE.getNameAsString(), ours.getMetricsRegistry());
      for (MetricsTableAggregateSourceImpl all : List.of(ours, stock)) {
        register(all);
      }
      Map<String, Object> shown = MetricRecords.now("OurTables");
      shown.put("tag.Context", "");
      Map<String, Object> expected = MetricRecords.now("StockTables");
      expected.put("tag.Context", "");

      assertTrue(expected.containsKey("Namespace_space_table_idle_metric_flushTime_num_ops"));
      assertEquals(expected, shown);
    } finally {
      Sources.remove(ours);
      Sources.remove(stock);
    }
  }

  @Test
  void requestsOfATableTakeMemoryWhereTheyAreManyAlone() {
    requests.renew(List.of(region()));
    for (int i = 0; i <= SparseHistogram.FEW_MAX; i++) {
      requests.of(region().region()).updateGet(i, 0);
    }
    requests.of(region().region()).updatePut(1);

    Map<String, Metric> metrics = registry();
    List<Metric> histograms =
        metrics.values().stream().filter(Histogram.class::isInstance).toList();
    assertEquals(17, histograms.size());
    assertEquals(1, dense(histograms));
    assertTrue(((SparseHistogram) metrics.get("getTime")).isDense());
    assertEquals(1, ((Histogram) metrics.get("putTime")).getCount());
  }

  private static Map<String, Metric> registry() {
    return MetricRegistries.global().getMetricRegistries().stream()
        .filter(each -> each.getMetricRegistryInfo().getMetricsName().endsWith("_table_idle"))
        .findFirst()
        .orElseThrow()
        .getMetrics();
  }

  private static Snapshot.Region region() {
    RegionInfo info = RegionInfoBuilder.newBuilder(TABLE).build();
    OnlineRegion online =
        new OnlineRegion(info, TableDescriptorBuilder.newBuilder(TABLE).build(), null, 1);
    return new Snapshot.Region(online, null, BlockWeights.NONE, 0, 0, 0);
  }
}
