package org.grampus.server.region;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.client.CompactionState;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.RegionLoad;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.ServerLoad;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.StoreSequenceId;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.Coprocessor;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier.RegionSpecifierType;
import org.apache.hbase.thirdparty.com.google.protobuf.UnsafeByteOperations;
import org.grampus.engine.RegionStats;
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

  private final Supplier<Map<String, RegionStats>> stats;

  private final LongSupplier calls;

  private final int infoPort;

  private long lastRows;

  /**
   * Reports on the regions of a registry.
   *
   * @param stats what the engine says of all open regions, by encoded name
   * @param calls tells how many calls the server has had, which HBase sums up as requests
   * @param infoPort port of the status page, which the master links to, or {@link #NO_INFO_PORT}
   */
  public LoadReport(
      RegionRegistry registry,
      Supplier<Map<String, RegionStats>> stats,
      LongSupplier calls,
      int infoPort) {
    this.registry = registry;
    this.stats = stats;
    this.calls = calls;
    this.infoPort = infoPort;
  }

  /** The server's load over a span of time, in milliseconds since the epoch. For one thread. */
  public ServerLoad server(long fromMillis, long toMillis) {
    MemoryUsage heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage();
    ServerLoad.Builder load =
        ServerLoad.newBuilder()
            .setReportStartTime(fromMillis)
            .setReportEndTime(toMillis)
            .setInfoServerPort(infoPort)
            .setUsedHeapMB((int) (heap.getUsed() / MB))
            .setMaxHeapMB((int) (heap.getMax() / MB));
    long rows = registry.totals().reads() + registry.totals().writes();
    Collection<OnlineRegion> regions = registry.all();
    for (OnlineRegion region : regions) {
      if (region.info().isMetaRegion()) {
        load.addCoprocessors(Coprocessor.newBuilder().setName(META_COPROCESSOR));
      }
    }
    // As in HBase the rate is of rows, and the total of calls.
    long perSecond = (rows - lastRows) * 1000 / Math.max(1, toMillis - fromMillis);
    lastRows = rows;
    return load.addAllRegionLoads(regions(regions, stats.get()))
        .setNumberOfRequests(Math.max(0, perSecond))
        .setTotalNumberOfRequests(calls.getAsLong())
        .build();
  }

  /**
   * The load of each region, but for those that have been closed since they were listed.
   *
   * @param stats what the engine says of all open regions, by encoded name
   */
  public static List<RegionLoad> regions(
      Collection<OnlineRegion> regions, Map<String, RegionStats> stats) {
    List<RegionLoad> loads = new ArrayList<>(regions.size());
    for (OnlineRegion region : regions) {
      RegionStats ofRegion = stats.get(region.encodedName());
      if (ofRegion == null) {
        LOG.debug("{} was closed meanwhile", region.encodedName());
      } else {
        loads.add(region(region, ofRegion));
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
            .setTotalCompactingKVs(stats.compaction().totalCells())
            .setCurrentCompactedKVs(stats.compaction().readCells())
            .setCompactionState(ProtobufUtil.createCompactionStateForRegionLoad(state(stats)))
            .setLastMajorCompactionTs(stats.compaction().lastMajorMillis())
            .setCompleteSequenceId(stats.flushedSequence());
    addLocality(load, region, stats);
    for (RegionStats.Store store : stats.stores()) {
      load.addStoreCompleteSequenceId(
          StoreSequenceId.newBuilder()
              .setFamilyName(UnsafeByteOperations.unsafeWrap(store.family()))
              .setSequenceId(store.flushedSequence()));
    }
    return load.build();
  }

  /** On local disks everything is here, and whether one is an SSD is not looked up. */
  private static void addLocality(RegionLoad.Builder load, OnlineRegion region, RegionStats stats) {
    BlockWeights blocks = BlockWeights.of(region, stats);
    load.setBlocksTotalWeight(blocks.total()).setBlocksLocalWeight(blocks.local());
    if (region.blockWeights() == null) {
      load.setDataLocality(1.0f);
    } else {
      load.setDataLocality((float) blocks.localPart())
          .setDataLocalityForSsd((float) blocks.localOnSsdPart())
          .setBlocksLocalWithSsdWeight(blocks.localOnSsd());
    }
  }

  /** In HBase's words. */
  public static CompactionState state(RegionStats stats) {
    return switch (stats.compaction().state()) {
      case NONE -> CompactionState.NONE;
      case MINOR -> CompactionState.MINOR;
      case MAJOR -> CompactionState.MAJOR;
      case MAJOR_AND_MINOR -> CompactionState.MAJOR_AND_MINOR;
    };
  }

  /**
   * Bytes as whole units, rounded down, but 1 for anything above 0: the normalizer takes 0 for an
   * empty region.
   */
  private static int units(long bytes, long unit) {
    return bytes == 0 ? 0 : (int) Math.min(Integer.MAX_VALUE, Math.max(1, bytes / unit));
  }
}
