package org.grampus.server.metrics;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.metrics.Histogram;
import org.apache.hadoop.hbase.metrics.MetricRegistries;
import org.apache.hadoop.hbase.metrics.MetricRegistry;
import org.apache.hadoop.hbase.regionserver.metrics.MetricsTableRequests;
import org.grampus.server.region.OnlineRegion;

/**
 * The beans {@code sub=TableRequests_…}: latencies and rates of each table with a region online.
 *
 * <p>HBase's adapter ({@code GlobalMetricRegistriesAdapter}) polls tables every ten seconds, by
 * name: one that goes and comes between two of these polls would keep a bean over the numbers that
 * went. So a table keeps its bean for half a minute after its last region, and once it has lost it
 * gets no other before the adapter has polled twice. Any thread may look a table up; one thread
 * renews.
 */
final class TableRequests implements AutoCloseable {
  static final long KEPT_NANOS = TimeUnit.SECONDS.toNanos(30);
  static final long TWO_POLLS_NANOS = TimeUnit.SECONDS.toNanos(20);

  private final Configuration conf;
  private final LongSupplier clock;
  private final MetricsTableRequests uncounted;
  private final ConcurrentHashMap<TableName, MetricsTableRequests> tables =
      new ConcurrentHashMap<>();
  private final Map<TableName, Long> seenNanos = new HashMap<>();
  private final Map<TableName, Long> removedNanos = new HashMap<>();
  private final Map<OnlineRegion, Counted> counted = new HashMap<>();
  private boolean closed;

  private record Counted(long reads, long writes) {}

  /**
   * No table yet.
   *
   * @param clock in nanoseconds, only goes forward
   */
  TableRequests(Configuration conf, LongSupplier clock) {
    this.conf = conf;
    this.clock = clock;
    this.uncounted = uncounted();
  }

  /** Switched off it has no registry, and takes all updates. */
  private static MetricsTableRequests uncounted() {
    Configuration off = new Configuration(false);
    off.setBoolean(MetricsTableRequests.ENABLE_TABLE_LATENCIES_METRICS_KEY, false);
    off.setBoolean(MetricsTableRequests.ENABLE_TABLE_QUERY_METER_METRICS_KEY, false);
    return new MetricsTableRequests(TableName.META_TABLE_NAME, off);
  }

  /** Of the table of a region, which may have come online just now. */
  MetricsTableRequests of(OnlineRegion region) {
    TableName table = region.info().getTable();
    MetricsTableRequests found = tables.get(table);
    return found != null ? found : show(table);
  }

  private synchronized MetricsTableRequests show(TableName table) {
    if (closed || removedNanos.containsKey(table)) {
      return uncounted;
    }
    seenNanos.putIfAbsent(table, clock.getAsLong());
    return tables.computeIfAbsent(table, added -> sparse(added, conf));
  }

  /**
   * HBase's class uses histograms that are already in its registry. A first instance fills the
   * registry, and its histograms are replaced.
   */
  private static MetricsTableRequests sparse(TableName table, Configuration conf) {
    MetricsTableRequests first = new MetricsTableRequests(table, conf);
    if (!first.isEnableTableLatenciesMetrics()) {
      return first;
    }
    MetricRegistry registry = MetricRegistries.global().get(first.getMetricRegistryInfo()).get();
    registry
        .getMetrics()
        .replaceAll((name, metric) -> metric instanceof Histogram ? new SparseHistogram() : metric);
    MetricsTableRequests requests = new MetricsTableRequests(table, conf);
    first.removeRegistry(); // which counts those that use it
    return requests;
  }

  /**
   * Takes the regions of a snapshot: marks what they have served since the last, and lets tables go
   * that have had none for long.
   */
  synchronized void renew(List<Snapshot.Region> regions) {
    long now = clock.getAsLong();
    removedNanos.values().removeIf(since -> now - since > TWO_POLLS_NANOS);
    Set<OnlineRegion> present = new HashSet<>();
    for (Snapshot.Region each : regions) {
      present.add(each.region());
      mark(each);
      seenNanos.computeIfPresent(each.region().info().getTable(), (table, before) -> now);
    }
    counted.keySet().retainAll(present);
    Iterator<Map.Entry<TableName, Long>> seen = seenNanos.entrySet().iterator();
    while (seen.hasNext()) {
      Map.Entry<TableName, Long> table = seen.next();
      if (now - table.getValue() > KEPT_NANOS) {
        seen.remove();
        removedNanos.put(table.getKey(), now);
        tables.remove(table.getKey()).removeRegistry();
      }
    }
  }

  private void mark(Snapshot.Region region) {
    Counted now = new Counted(region.reads(), region.writes());
    Counted before = counted.put(region.region(), now);
    MetricsTableRequests requests = of(region.region());
    // a region that has just been opened has served nothing before
    requests.updateTableReadQueryMeter(now.reads - (before == null ? 0 : before.reads));
    requests.updateTableWriteQueryMeter(now.writes - (before == null ? 0 : before.writes));
  }

  /** Lets all tables go, and counts nothing more: requests may end later. */
  @Override
  public synchronized void close() {
    closed = true;
    tables.values().forEach(MetricsTableRequests::removeRegistry);
    tables.clear();
    seenNanos.clear();
    counted.clear();
  }
}
