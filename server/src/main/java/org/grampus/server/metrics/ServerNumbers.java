package org.grampus.server.metrics;

import java.util.function.Supplier;
import org.grampus.server.region.RegionRegistry;
import org.grampus.server.region.RequestCounters.Kind;
import org.grampus.server.service.ScannerRegistry;

/**
 * The numbers of HBase's bean {@code sub=Server} that this server has, with HBase's meaning ({@code
 * MetricsRegionServerWrapperImpl}); what the exceptions are is in docs/metrics.md. Those of the
 * engine are as old as the latest snapshot; {@link BlockCacheNumbers} has those of the cache. Any
 * thread.
 */
final class ServerNumbers extends BlockCacheNumbers {
  private final Identity identity;
  private final RegionRegistry registry;
  private final ScannerRegistry scanners;
  private final RequestTotals requests;
  private final boolean localFiles;
  private volatile Rates rates = new Rates(0, 0);

  /** Requests per second, averaged over the time between two snapshots. */
  private record Rates(double reads, double writes) {}

  ServerNumbers(
      Supplier<Snapshot> latest,
      Identity identity,
      RegionRegistry registry,
      ScannerRegistry scanners,
      RequestTotals requests,
      boolean localFiles) {
    super(latest);
    this.identity = identity;
    this.registry = registry;
    this.scanners = scanners;
    this.requests = requests;
    this.localFiles = localFiles;
  }

  /** Takes the rates from two snapshots. */
  void rates(Snapshot before, Snapshot after) {
    double seconds = Math.max(1, after.nanos() - before.nanos()) / 1e9;
    rates =
        new Rates(
            (after.reads() - before.reads()) / seconds,
            (after.writes() - before.writes()) / seconds);
  }

  private RegionTotals totals() {
    return now().totals();
  }

  private long engine(String path) {
    return now().engine().get(path);
  }

  /** The snapshot is renewed at its own pace. */
  @Override
  public void forceRecompute() {}

  @Override
  public String getServerName() {
    return identity.server().get();
  }

  @Override
  public String getClusterId() {
    return identity.clusterId().get();
  }

  @Override
  public String getZookeeperQuorum() {
    return identity.quorum();
  }

  @Override
  public String getCoprocessors() {
    return "";
  }

  @Override
  public long getStartCode() {
    return identity.startMillis();
  }

  @Override
  public long getNumOnlineRegions() {
    return totals().regions();
  }

  @Override
  public long getNumStores() {
    return totals().stores();
  }

  @Override
  public long getNumStoreFiles() {
    return totals().files();
  }

  @Override
  public long getMaxStoreFiles() {
    return totals().largestStoreFiles();
  }

  @Override
  public long getNumReferenceFiles() {
    return totals().references();
  }

  @Override
  public long getStoreFileSize() {
    return totals().fileBytes();
  }

  @Override
  public long getAverageRegionSize() {
    return totals().averageRegionBytes();
  }

  @Override
  public long getMaxStoreFileAge() {
    return totals().maxFileAge(now().millis());
  }

  @Override
  public long getMinStoreFileAge() {
    return totals().minFileAge(now().millis());
  }

  @Override
  public long getAvgStoreFileAge() {
    return totals().averageFileAge(now().millis());
  }

  @Override
  public long getMemStoreSize() {
    return totals().memstoreBytes();
  }

  @Override
  public long getOffHeapMemStoreSize() {
    return totals().memstoreBytes();
  }

  @Override
  public long getMemStoreLimit() {
    return engine("memstore.limit_bytes");
  }

  @Override
  public long getOffHeapMemStoreLimit() {
    return getMemStoreLimit();
  }

  @Override
  public long getStoreFileIndexSize() {
    return totals().openFileBytes();
  }

  @Override
  public long getTotalStaticIndexSize() {
    return totals().footerBytes();
  }

  @Override
  public long getTotalStaticBloomSize() {
    return totals().bloomBytes();
  }

  @Override
  public double getPercentFileLocal() {
    return PERCENT * totals().localPart();
  }

  @Override
  public long getTotalRequestCount() {
    return requests.all();
  }

  @Override
  public long getRpcGetRequestsCount() {
    return requests.gets();
  }

  @Override
  public long getRpcScanRequestsCount() {
    return requests.scans();
  }

  @Override
  public long getRpcFullScanRequestsCount() {
    return requests.fullScans();
  }

  @Override
  public long getRpcMultiRequestsCount() {
    return requests.multis();
  }

  @Override
  public long getRpcMutateRequestsCount() {
    return requests.mutates();
  }

  @Override
  public int getActiveScanners() {
    return scanners.openCount();
  }

  @Override
  public long getTotalRowActionRequestCount() {
    return now().reads() + now().writes();
  }

  @Override
  public long getReadRequestsCount() {
    return now().reads();
  }

  @Override
  public long getFilteredReadRequestsCount() {
    return now().filteredReads();
  }

  @Override
  public long getWriteRequestsCount() {
    return now().writes();
  }

  @Override
  public long getCheckAndMutateChecksFailed() {
    return registry.totals().counted(Kind.CHECK_FAILED);
  }

  @Override
  public long getCheckAndMutateChecksPassed() {
    return registry.totals().counted(Kind.CHECK_PASSED);
  }

  @Override
  public double getRequestsPerSecond() {
    return rates.reads() + rates.writes();
  }

  @Override
  public double getReadRequestsRatePerSecond() {
    return rates.reads();
  }

  @Override
  public double getWriteRequestsRatePerSecond() {
    return rates.writes();
  }

  @Override
  public long getBlockedRequestsCount() {
    return engine("memstore.refused_writes");
  }

  @Override
  public long getBloomFilterRequestsCount() {
    return totals().bloomsAsked();
  }

  @Override
  public long getBloomFilterNegativeResultsCount() {
    return totals().bloomsDenied();
  }

  @Override
  public long getBloomFilterEligibleRequestsCount() {
    return totals().bloomsUnknown();
  }

  @Override
  public long getNumWALSlowAppend() {
    return now().engine().ofLog("slow_appends");
  }

  @Override
  public long getNumWALFiles() {
    return now().engine().ofLogs("segments");
  }

  @Override
  public long getWALFileSize() {
    return now().engine().ofLogs("finished_bytes");
  }

  @Override
  public int getFlushQueueSize() {
    return (int) engine("flush.queue_length");
  }

  @Override
  public int getCompactionQueueSize() {
    return getSmallCompactionQueueSize() + getLargeCompactionQueueSize();
  }

  @Override
  public int getSmallCompactionQueueSize() {
    return (int) engine("compaction.small_queue_length");
  }

  @Override
  public int getLargeCompactionQueueSize() {
    return (int) engine("compaction.large_queue_length");
  }

  @Override
  public long getFlushedCellsCount() {
    return engine("flush.cells");
  }

  @Override
  public long getFlushedCellsSize() {
    return engine("flush.memstore_bytes");
  }

  @Override
  public long getCompactedCellsCount() {
    return engine("compaction.minor.cells");
  }

  @Override
  public long getCompactedCellsSize() {
    return engine("compaction.minor.input_bytes");
  }

  @Override
  public long getMajorCompactedCellsCount() {
    return engine("compaction.major.cells");
  }

  @Override
  public long getMajorCompactedCellsSize() {
    return engine("compaction.major.input_bytes");
  }

  @Override
  public long getTotalBytesRead() {
    return engine("files.page_read_bytes");
  }

  /** Which data node has served a read of HDFS is not counted. */
  @Override
  public long getLocalBytesRead() {
    return localFiles ? getTotalBytesRead() : 0;
  }
}
