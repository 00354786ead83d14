package org.grampus.server.metrics;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import org.apache.hadoop.hbase.regionserver.MetricsTableWrapperAggregate;
import org.grampus.server.env.Env;

/**
 * The sums by table of HBase's bean {@code sub=Tables}, as old as the latest snapshot. Tables are
 * named with their namespace, but for the default one. Any thread.
 */
final class TableNumbers implements MetricsTableWrapperAggregate {
  private volatile Map<String, Table> tables = Map.of();

  /** The regions of one table that are online here. */
  static final class Table {
    private final RegionTotals totals = new RegionTotals();
    private final Map<String, Long> nothingByFamily = new HashMap<>();
    private long reads;
    private long filteredReads;
    private long writes;

    private void add(String name, Snapshot.Region region) {
      totals.add(region.stats(), region.blocks());
      reads += region.reads();
      filteredReads += region.filteredReads();
      writes += region.writes();
      for (byte[] family : region.region().families()) {
        nothingByFamily.put(name + HASH + new String(family, StandardCharsets.UTF_8), 0L);
      }
    }
  }

  /** Takes the regions of a snapshot; returns their tables' names. */
  Map<String, Table> renew(List<Snapshot.Region> regions) {
    Map<String, Table> sums = new HashMap<>();
    for (Snapshot.Region region : regions) {
      String name = region.region().info().getTable().getNameAsString();
      sums.computeIfAbsent(name, added -> new Table()).add(name, region);
    }
    tables = sums;
    return sums;
  }

  /** 0 for a table that has left. */
  private long of(String table, ToLongFunction<Table> number) {
    Table found = tables.get(table);
    return found == null ? 0 : number.applyAsLong(found);
  }

  @Override
  public long getReadRequestCount(String table) {
    return of(table, t -> t.reads);
  }

  @Override
  public long getFilteredReadRequestCount(String table) {
    return of(table, t -> t.filteredReads);
  }

  @Override
  public long getWriteRequestCount(String table) {
    return of(table, t -> t.writes);
  }

  @Override
  public long getTotalRequestsCount(String table) {
    return of(table, t -> t.reads + t.writes);
  }

  @Override
  public long getMemStoreSize(String table) {
    return of(table, t -> t.totals.memstoreBytes());
  }

  @Override
  public long getStoreFileSize(String table) {
    return of(table, t -> t.totals.fileBytes());
  }

  @Override
  public long getTableSize(String table) {
    return of(table, t -> t.totals.fileBytes() + t.totals.memstoreBytes());
  }

  @Override
  public long getAvgRegionSize(String table) {
    return of(table, t -> t.totals.averageRegionBytes());
  }

  @Override
  public long getNumRegions(String table) {
    return of(table, t -> t.totals.regions());
  }

  @Override
  public long getNumStores(String table) {
    return of(table, t -> t.totals.stores());
  }

  @Override
  public long getNumStoreFiles(String table) {
    return of(table, t -> t.totals.files());
  }

  @Override
  public long getMaxStoreFiles(String table) {
    return of(table, t -> t.totals.largestStoreFiles());
  }

  @Override
  public long getMaxStoreFileAge(String table) {
    return of(table, t -> t.totals.maxFileAge(Env.millis()));
  }

  @Override
  public long getMinStoreFileAge(String table) {
    return of(table, t -> t.totals.minFileAge(Env.millis()));
  }

  @Override
  public long getAvgStoreFileAge(String table) {
    return of(table, t -> t.totals.averageFileAge(Env.millis()));
  }

  @Override
  public long getStaticIndexSize(String table) {
    return of(table, t -> t.totals.footerBytes());
  }

  @Override
  public long getStaticBloomSize(String table) {
    return of(table, t -> t.totals.bloomBytes());
  }

  @Override
  public long getNumReferenceFiles(String table) {
    return of(table, t -> t.totals.references());
  }

  @Override
  public long getBloomFilterRequestsCount(String table) {
    return of(table, t -> t.totals.bloomsAsked());
  }

  @Override
  public long getBloomFilterNegativeResultsCount(String table) {
    return of(table, t -> t.totals.bloomsDenied());
  }

  @Override
  public long getBloomFilterEligibleRequestsCount(String table) {
    return of(table, t -> t.totals.bloomsUnknown());
  }

  /** The engine does not count reads by where their cells were. */
  @Override
  public Map<String, Long> getMemstoreOnlyRowReadsCount(String table) {
    Table found = tables.get(table);
    return found == null ? null : found.nothingByFamily;
  }

  @Override
  public Map<String, Long> getMixedRowReadsCount(String table) {
    return getMemstoreOnlyRowReadsCount(table);
  }
}
