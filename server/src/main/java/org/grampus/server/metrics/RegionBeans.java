package org.grampus.server.metrics;

import java.util.EnumMap;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.regionserver.MetricsRegionAggregateSourceImpl;
import org.apache.hadoop.hbase.regionserver.MetricsRegionSourceImpl;
import org.grampus.server.region.OnlineRegion;
import org.grampus.server.region.RequestCounters.Kind;

/**
 * The regions of HBase's bean {@code sub=Regions}: exactly those that are online. A region is added
 * once and leaves once, since each change lets HBase's source restart the metrics system. One
 * thread at a time.
 */
final class RegionBeans implements AutoCloseable {
  private static final Map<Kind, String> NAMES =
      Map.of(
          Kind.GET, "getCount",
          Kind.SCAN, "scanCount",
          Kind.PUT, "putCount",
          Kind.DELETE, "deleteCount",
          Kind.INCREMENT, "incrementCount",
          Kind.APPEND, "appendCount");

  private final MetricsRegionAggregateSourceImpl all = new MetricsRegionAggregateSourceImpl();
  private final Map<OnlineRegion, Bean> beans = new HashMap<>();

  /** The bean's attributes of one region. */
  private final class Bean {
    private final OnlineRegion region;
    private final RegionNumbers numbers;
    private final MetricsRegionSourceImpl source;
    private final Map<Kind, String> keys = new EnumMap<>(Kind.class);
    private final Map<Kind, Long> counted = new EnumMap<>(Kind.class);

    Bean(Snapshot.Region of) {
      region = of.region();
      numbers = new RegionNumbers(of);
      source = new MetricsRegionSourceImpl(numbers, all);
      String prefix =
          "Namespace_"
              + numbers.getNamespace()
              + "_table_"
              + numbers.getTableName()
              + "_region_"
              + numbers.getRegionName()
              + "_metric_";
      NAMES.forEach((kind, name) -> keys.put(kind, prefix + name));
    }

    void renew(Snapshot.Region of) {
      numbers.renew(of);
      keys.forEach(this::count);
    }

    private void count(Kind kind, String key) {
      long now = region.counters().counted(kind);
      long before = counted.getOrDefault(kind, 0L);
      if (now > before) {
        all.incCounters(key, now - before);
        counted.put(kind, now);
      }
    }
  }

  /** Takes the regions of a snapshot. */
  void renew(List<Snapshot.Region> regions) {
    Map<OnlineRegion, Snapshot.Region> online = new HashMap<>();
    regions.forEach(region -> online.put(region.region(), region));
    // first those that leave: a region that is opened again has attributes of the same names
    for (Iterator<Bean> each = beans.values().iterator(); each.hasNext(); ) {
      Bean bean = each.next();
      if (!online.containsKey(bean.region)) {
        each.remove();
        bean.source.close();
      }
    }
    regions.forEach(
        region -> beans.computeIfAbsent(region.region(), added -> new Bean(region)).renew(region));
  }

  /** Takes all regions and the bean out. */
  @Override
  public void close() {
    renew(List.of());
    Sources.remove(all);
  }
}
