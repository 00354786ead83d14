package org.grampus.server.metrics;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.regionserver.MetricsRegionAggregateSourceImpl;
import org.apache.hadoop.hbase.regionserver.MetricsRegionSourceImpl;
import org.apache.hadoop.metrics2.AbstractMetric;
import org.apache.hadoop.metrics2.MetricsRecord;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.impl.MetricsCollectorImpl;
import org.grampus.engine.CompactionState;
import org.grampus.engine.RegionStats;
import org.grampus.server.region.BlockWeights;
import org.grampus.server.region.OnlineRegion;
import org.grampus.server.region.RequestCounters.Kind;
import org.junit.jupiter.api.Test;

/** Against HBase's own source. */
class RegionSourceTest {
  private static final TableName TABLE = TableName.valueOf("ns", "t");

  private static final Map<Kind, Integer> OPERATIONS =
      Map.of(
          Kind.GET, 31,
          Kind.SCAN, 32,
          Kind.PUT, 33,
          Kind.DELETE, 34,
          Kind.INCREMENT, 35,
          Kind.APPEND, 36);

  private final RegionSource ours = new RegionSource();

  /** Each number is another one, so that none can be in the place of another. */
  private static RegionStats stats() {
    return new RegionStats(
        1,
        2,
        3,
        4,
        5,
        new RegionStats.FileParts(6, 7, 8, 9, 10),
        new RegionStats.Readers(11, 12),
        new RegionStats.FileTimes(1_000_000, 2_000_000, 4_500_000),
        13,
        new RegionStats.Compaction(CompactionState.NONE, 3_000_000, 14, 15),
        new RegionStats.Compacted(16, 17, 18, 19),
        new RegionStats.Blooms(20, 21, 22),
        List.of());
  }

  private static Snapshot.Region region(String start) {
    TableDescriptorBuilder table = TableDescriptorBuilder.newBuilder(TABLE);
    table.setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"));
    table.setColumnFamily(ColumnFamilyDescriptorBuilder.of("a family"));
    OnlineRegion online =
        new OnlineRegion(
            RegionInfoBuilder.newBuilder(TABLE).setStartKey(start.getBytes(UTF_8)).build(),
            table.build(),
            null,
            1);
    return new Snapshot.Region(online, stats(), BlockWeights.NONE, 23, 24, 25);
  }

  private static MetricsRecord record(MetricsSource source) {
    MetricsCollectorImpl collector = new MetricsCollectorImpl();
    source.getMetrics(collector, true);
    return collector.getRecords().get(0);
  }

  private static List<AbstractMetric> metrics(MetricsRecord record) {
    List<AbstractMetric> metrics = new ArrayList<>();
    record.metrics().forEach(metrics::add);
    return metrics;
  }

  /** Ages move while a test runs: to the minute. */
  private static String text(AbstractMetric metric) {
    Number value = metric.value();
    return String.join(
        " ",
        metric.type().toString(),
        metric.name(),
        value.getClass().getSimpleName(),
        metric.name().endsWith("Age") ? "" + value.longValue() / 60_000 : value.toString(),
        metric.description());
  }

  private static List<String> texts(MetricsRecord record) {
    return metrics(record).stream().map(RegionSourceTest::text).toList();
  }

  private static MetricsRecord ofHBase(Snapshot.Region region) {
    MetricsRegionAggregateSourceImpl all = new MetricsRegionAggregateSourceImpl();
    try {
      var source = new MetricsRegionSourceImpl(new RegionNumbers(region), all);
      region.region().counters().count(Kind.PUT);
      source.updatePut();
      return record(all);
    } finally {
      Sources.remove(all);
    }
  }

  /** HBase has operations in the order of a hash table, behind all else. */
  @Test
  void namesTypesNumbersAndTheirOrderAreHBases() {
    Snapshot.Region region = region("");
    MetricsRecord expected = ofHBase(region);
    ours.renew(List.of(region));
    MetricsRecord found = record(ours);
    int numbers = metrics(expected).size() - RegionMetric.OPERATIONS.size();
    assertEquals(texts(expected).subList(0, numbers), texts(found).subList(0, numbers));
    assertEquals(new TreeSet<>(texts(expected)), new TreeSet<>(texts(found)));
    assertEquals(expected.name(), found.name());
    assertEquals(expected.description(), found.description());
    assertEquals(List.copyOf(expected.tags()), List.copyOf(found.tags()));
  }

  @Test
  void operationsAreCountedByTheirKind() {
    Snapshot.Region region = region("");
    String prefix = "Namespace_ns_table_t_region_" + region.region().encodedName() + "_metric_";
    Set<String> missing = new TreeSet<>();
    OPERATIONS.forEach(
        (kind, count) -> {
          region.region().counters().count(kind, count);
          missing.add(prefix + kind.name().toLowerCase(Locale.ROOT) + "Count=" + count);
        });
    ours.renew(List.of(region));
    metrics(record(ours)).forEach(each -> missing.remove(each.name() + "=" + each.value()));
    assertEquals(Set.of(), missing);
  }

  @Test
  void namesAreMadeOnceForARegionAndGoWithIt() {
    Snapshot.Region first = region("");
    ours.renew(List.of(first, region("m")));
    List<AbstractMetric> before = metrics(record(ours));
    ours.renew(List.of(first));
    List<AbstractMetric> after = metrics(record(ours));
    assertEquals(before.size() / 2, after.size());
    String name = first.region().encodedName();
    List<String> kept =
        before.stream().map(AbstractMetric::name).filter(n -> n.contains(name)).toList();
    assertEquals(kept.size(), after.size());
    for (int i = 0; i < kept.size(); i++) {
      assertSame(kept.get(i), after.get(i).name());
    }
    ours.renew(List.of());
    assertEquals(List.of(), metrics(record(ours)));
  }
}
