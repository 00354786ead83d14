package org.grampus.server.metrics;

import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.hbase.regionserver.MetricsRegionWrapper;
import org.grampus.engine.RegionStats;
import org.grampus.server.env.Env;
import org.grampus.server.region.OnlineRegion;
import org.grampus.server.region.RequestCounters.Kind;

/**
 * The numbers of one region in HBase's bean {@code sub=Regions}, as old as the latest snapshot. Any
 * thread.
 */
final class RegionNumbers implements MetricsRegionWrapper {
  private final OnlineRegion region;
  private final Map<String, Long> nothingByFamily = new HashMap<>();
  private volatile Snapshot.Region latest;
  private volatile Map<Kind, Long> counted;

  RegionNumbers(Snapshot.Region first) {
    this.region = first.region();
    renew(first);
    for (byte[] family : region.families()) {
      nothingByFamily.put(new String(family, StandardCharsets.UTF_8), 0L);
    }
  }

  void renew(Snapshot.Region now) {
    Map<Kind, Long> counts = new EnumMap<>(Kind.class);
    for (Kind kind : Kind.values()) {
      counts.put(kind, region.counters().counted(kind));
    }
    counted = counts;
    latest = now;
  }

  /** Operations of a kind. */
  long counted(Kind kind) {
    return counted.get(kind);
  }

  private RegionStats stats() {
    return latest.stats();
  }

  private static long age(long millis, long files) {
    return files == 0 ? 0 : Env.millis() - millis;
  }

  @Override
  public String getTableName() {
    return region.info().getTable().getQualifierAsString();
  }

  @Override
  public String getNamespace() {
    return region.info().getTable().getNamespaceAsString();
  }

  @Override
  public String getRegionName() {
    return region.encodedName();
  }

  @Override
  public int getRegionHashCode() {
    return System.identityHashCode(region);
  }

  @Override
  public int getReplicaId() {
    return region.info().getReplicaId();
  }

  @Override
  public long getNumStores() {
    return stats().stores().size();
  }

  @Override
  public long getNumStoreFiles() {
    return stats().storeFileCount();
  }

  @Override
  public long getMemStoreSize() {
    return stats().memstoreBytes();
  }

  @Override
  public long getStoreFileSize() {
    return stats().storeFileBytes();
  }

  /** The engine does not count pages in the cache by region. */
  @Override
  public float getCurrentRegionCacheRatio() {
    return 0;
  }

  @Override
  public long getReadRequestCount() {
    return latest.reads();
  }

  @Override
  public long getFilteredReadRequestCount() {
    return latest.filteredReads();
  }

  @Override
  public long getWriteRequestCount() {
    return latest.writes();
  }

  @Override
  public long getTotalRequestCount() {
    Snapshot.Region now = latest;
    return now.reads() + now.writes();
  }

  @Override
  public long getMaxStoreFileAge() {
    return age(stats().fileTimes().oldest(), stats().storeFileCount());
  }

  @Override
  public long getMinStoreFileAge() {
    return age(stats().fileTimes().newest(), stats().storeFileCount());
  }

  @Override
  public long getAvgStoreFileAge() {
    int files = stats().storeFileCount();
    return files == 0 ? 0 : age(stats().fileTimes().sum() / files, files);
  }

  @Override
  public long getNumReferenceFiles() {
    return stats().referenceCount();
  }

  @Override
  public long getStoreRefCount() {
    return stats().readers().current();
  }

  @Override
  public long getMaxCompactedStoreFileRefCount() {
    return stats().readers().replaced();
  }

  /** The age of 1970 without one, as HBase's. */
  @Override
  public long getLastMajorCompactionAge() {
    return Env.millis() - stats().compaction().lastMajorMillis();
  }

  @Override
  public long getNumFilesCompacted() {
    return stats().compacted().files();
  }

  @Override
  public long getNumBytesCompacted() {
    return stats().compacted().bytes();
  }

  @Override
  public long getNumCompactionsCompleted() {
    return stats().compacted().done();
  }

  @Override
  public long getNumCompactionsFailed() {
    return stats().compacted().failed();
  }

  // The engine's queues are the server's.

  @Override
  public long getNumCompactionsQueued() {
    return 0;
  }

  @Override
  public long getNumFlushesQueued() {
    return 0;
  }

  @Override
  public long getMaxCompactionQueueSize() {
    return 0;
  }

  @Override
  public long getMaxFlushQueueSize() {
    return 0;
  }

  @Override
  public Map<String, Long> getMemstoreOnlyRowReadsCount() {
    return nothingByFamily;
  }

  @Override
  public Map<String, Long> getMixedRowReadsCount() {
    return nothingByFamily;
  }
}
