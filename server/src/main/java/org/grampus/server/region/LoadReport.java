package org.grampus.server.region;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.RegionLoad;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.ServerLoad;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.StoreSequenceId;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.Coprocessor;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier.RegionSpecifierType;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hbase.thirdparty.com.google.protobuf.UnsafeByteOperations;
import org.grampus.engine.EngineException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The load that a server reports: of itself and of each region, in the units of HBase's ServerLoad
 * (whole MB and KB).
 */
public class LoadReport {
  private static final Logger LOG = LoggerFactory.getLogger(LoadReport.class);

  /** What a server without a status page says of its port. */
  public static final int NO_INFO_PORT = -1;

  private static final long KB = 1 << 10;

  private static final long MB = 1 << 20;

  /** What a region server with hbase:meta lists; its calls are served here without it. */
  private static final String META_COPROCESSOR = "MultiRowMutationEndpoint";

  private final RegionRegistry registry;

  private long lastRequests;

  /** Reports on the regions of a registry. */
  public LoadReport(RegionRegistry registry) {
    this.registry = registry;
  }

  /** The server's load over a span of time, in milliseconds since the epoch. For one thread. */
  public ServerLoad server(long fromMillis, long toMillis) {
    MemoryUsage heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage();
    ServerLoad.Builder load =
        ServerLoad.newBuilder()
            .setReportStartTime(fromMillis)
            .setReportEndTime(toMillis)
            .setInfoServerPort(NO_INFO_PORT)
            .setUsedHeapMB((int) (heap.getUsed() / MB))
            .setMaxHeapMB((int) (heap.getMax() / MB));
    long requests = registry.totals().reads() + registry.totals().writes();
    Collection<OnlineRegion> regions = registry.all();
    for (OnlineRegion region : regions) {
      if (region.info().isMetaRegion()) {
        load.addCoprocessors(Coprocessor.newBuilder().setName(META_COPROCESSOR));
      }
    }
    long perSecond = (requests - lastRequests) * 1000 / Math.max(1, toMillis - fromMillis);
    lastRequests = requests;
    return load.addAllRegionLoads(regions(regions))
        .setNumberOfRequests(Math.max(0, perSecond))
        .setTotalNumberOfRequests(requests)
        .build();
  }

  /** The load of each region, but for those that have been closed since they were listed. */
  public static List<RegionLoad> regions(Collection<OnlineRegion> regions) {
    List<RegionLoad> loads = new ArrayList<>(regions.size());
    for (OnlineRegion region : regions) {
      try {
        loads.add(region(region, RegionStats.of(region)));
      } catch (EngineException e) {
        LOG.debug("{} was closed meanwhile", region.encodedName(), e);
      }
    }
    return loads;
  }

  static RegionLoad region(OnlineRegion region, RegionStats stats) {
    RegionLoad.Builder load =
        RegionLoad.newBuilder()
            .setRegionSpecifier(
                RegionSpecifier.newBuilder()
                    .setType(RegionSpecifierType.REGION_NAME)
                    .setValue(region.name()))
            .setStores(stats.stores().size())
            .setStorefiles(stats.storeFileCount())
            .setStoreRefCount(stats.readers().current())
            .setMaxCompactedStoreFileRefCount(stats.readers().replaced())
            .setStoreUncompressedSizeMB(units(stats.fileParts().uncompressed(), MB))
            .setStorefileSizeMB(units(stats.storeFileBytes(), MB))
            .setRegionSizeMB(units(stats.fileParts().own(), MB))
            .setMemStoreSizeMB(units(stats.memstoreBytes(), MB))
            .setStorefileIndexSizeKB(units(stats.fileParts().open(), KB))
            .setRootIndexSizeKB(units(stats.fileParts().open(), KB))
            .setTotalStaticIndexSizeKB(units(stats.fileParts().footers(), KB))
            .setTotalStaticBloomSizeKB(units(stats.fileParts().blooms(), KB))
            .setReadRequestsCount(region.counters().reads())
            .setFilteredReadRequestsCount(region.counters().filteredReads())
            .setWriteRequestsCount(region.counters().writes())
            .setDataLocality(1.0f)
            .setBlocksTotalWeight(stats.storeFileBytes())
            .setBlocksLocalWeight(stats.storeFileBytes())
            .setTotalCompactingKVs(stats.compaction().totalCells())
            .setCurrentCompactedKVs(stats.compaction().readCells())
            .setCompactionState(
                ProtobufUtil.createCompactionStateForRegionLoad(stats.compaction().state()))
            .setLastMajorCompactionTs(stats.compaction().lastMajorMillis())
            .setCompleteSequenceId(stats.flushedSequence());
    for (RegionStats.Store store : stats.stores()) {
      load.addStoreCompleteSequenceId(
          StoreSequenceId.newBuilder()
              .setFamilyName(UnsafeByteOperations.unsafeWrap(Bytes.fromHex(store.familyHex())))
              .setSequenceId(store.flushedSequence()));
    }
    return load.build();
  }

  /**
   * Bytes as whole units, rounded down, but 1 for anything above 0: the normalizer takes 0 for an
   * empty region.
   */
  private static int units(long bytes, long unit) {
    return bytes == 0 ? 0 : (int) Math.min(Integer.MAX_VALUE, Math.max(1, bytes / unit));
  }
}
