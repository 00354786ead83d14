package org.grampus.server.metrics;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.regionserver.metrics.MetricsTableRequests;
import org.grampus.server.region.OnlineRegion;

/**
 * The beans {@code sub=TableRequests_…}: latencies and rates of each table with a region online.
 * Any thread may look a table up; one thread renews.
 */
final class TableRequests implements AutoCloseable {
  private final Configuration conf;
  private final ConcurrentHashMap<TableName, MetricsTableRequests> tables =
      new ConcurrentHashMap<>();
  private final Map<OnlineRegion, Counted> counted = new HashMap<>();

  private record Counted(long reads, long writes) {}

  TableRequests(Configuration conf) {
    this.conf = conf;
  }

  /** Of the table of a region, which may have come online just now. */
  MetricsTableRequests of(OnlineRegion region) {
    TableName table = region.info().getTable();
    MetricsTableRequests found = tables.get(table);
    return found != null
        ? found
        : tables.computeIfAbsent(table, added -> new MetricsTableRequests(added, conf));
  }

  /**
   * Takes the regions of a snapshot: marks what they have served since the last, and lets tables go
   * that have none.
   */
  void renew(List<Snapshot.Region> regions) {
    Set<TableName> online = new HashSet<>();
    Set<OnlineRegion> present = new HashSet<>();
    for (Snapshot.Region each : regions) {
      OnlineRegion region = each.region();
      online.add(region.info().getTable());
      present.add(region);
      mark(region);
    }
    counted.keySet().retainAll(present);
    tables.forEach(
        (table, requests) -> {
          if (!online.contains(table) && tables.remove(table, requests)) {
            requests.removeRegistry();
          }
        });
  }

  private void mark(OnlineRegion region) {
    Counted now = new Counted(region.counters().reads(), region.counters().writes());
    Counted before = counted.put(region, now);
    MetricsTableRequests requests = of(region);
    // a region that has just been opened has served nothing before
    requests.updateTableReadQueryMeter(now.reads - (before == null ? 0 : before.reads));
    requests.updateTableWriteQueryMeter(now.writes - (before == null ? 0 : before.writes));
  }

  /** Lets all tables go. */
  @Override
  public void close() {
    renew(List.of());
  }
}
