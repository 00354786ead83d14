package org.grampus.perf.fleet;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.RegionLoad;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.ServerLoad;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.StoreSequenceId;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier.RegionSpecifierType;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.apache.hbase.thirdparty.com.google.protobuf.UnsafeByteOperations;
import org.grampus.server.region.LoadReport;

/** One server of a fleet, as far as a master can see it. Any thread. */
public final class StubServer {
  private static final int HEAP_MB = 4096;
  private static final int REGION_MB = 512;
  private static final long REGION_BYTES = (long) REGION_MB << 20;
  private static final int INDEX_KB = 512;

  /** Of all tables of a fleet. */
  static final String FAMILY = "f";

  private final ServerName name;

  /** By encoded name: an order to close a region does not have all that one to open it has. */
  private final Map<String, RegionInfo> regions = new ConcurrentHashMap<>();

  private volatile boolean alive = true;

  StubServer(ServerName name) {
    this.name = name;
  }

  /** Its name in the cluster. */
  public ServerName name() {
    return name;
  }

  /** Takes a region. */
  void open(RegionInfo region) {
    regions.put(region.getEncodedName(), region);
  }

  /** Gives a region away. */
  void close(RegionInfo region) {
    regions.remove(region.getEncodedName());
  }

  /** What it has, or had when it died. */
  public Collection<RegionInfo> regions() {
    return List.copyOf(regions.values());
  }

  /** How many it has. */
  public int regionCount() {
    return regions.size();
  }

  boolean isAlive() {
    return alive;
  }

  /** From now on it neither reports nor takes orders. */
  void die() {
    alive = false;
  }

  /**
   * What a server with regions of middling size would report, each region with numbers.
   *
   * @param fromMillis of the span that the report is about, since the epoch
   * @param toMillis its end
   */
  ServerLoad load(long fromMillis, long toMillis) {
    ServerLoad.Builder load =
        ServerLoad.newBuilder()
            .setReportStartTime(fromMillis)
            .setReportEndTime(toMillis)
            .setInfoServerPort(LoadReport.NO_INFO_PORT)
            .setUsedHeapMB(HEAP_MB / 2)
            .setMaxHeapMB(HEAP_MB)
            .setNumberOfRequests(0)
            .setTotalNumberOfRequests(toMillis);
    regions.values().forEach(region -> load.addRegionLoads(load(region, toMillis)));
    return load.build();
  }

  /**
   * All fields of a region server's report. Sequence ids rise with each report, as those of a
   * region that is written and flushed: the master keeps them by region and by store.
   */
  private static RegionLoad load(RegionInfo region, long number) {
    return RegionLoad.newBuilder()
        .setRegionSpecifier(
            RegionSpecifier.newBuilder()
                .setType(RegionSpecifierType.REGION_NAME)
                .setValue(UnsafeByteOperations.unsafeWrap(region.getRegionName())))
        .setStores(1)
        .setStorefiles(2)
        .setStoreRefCount(0)
        .setMaxCompactedStoreFileRefCount(0)
        .setStoreUncompressedSizeMB(REGION_MB)
        .setStorefileSizeMB(REGION_MB)
        .setRegionSizeMB(REGION_MB)
        .setMemStoreSizeMB(1)
        .setStorefileIndexSizeKB(INDEX_KB)
        .setRootIndexSizeKB(INDEX_KB)
        .setTotalStaticIndexSizeKB(INDEX_KB)
        .setTotalStaticBloomSizeKB(INDEX_KB)
        .setReadRequestsCount(number)
        .setFilteredReadRequestsCount(number)
        .setWriteRequestsCount(number)
        .setDataLocality(1.0f)
        .setBlocksTotalWeight(REGION_BYTES)
        .setBlocksLocalWeight(REGION_BYTES)
        .setTotalCompactingKVs(number)
        .setCurrentCompactedKVs(number)
        .setCompactionState(RegionLoad.CompactionState.NONE)
        .setLastMajorCompactionTs(number)
        .setCompleteSequenceId(number)
        .addStoreCompleteSequenceId(
            StoreSequenceId.newBuilder()
                .setFamilyName(ByteString.copyFromUtf8(FAMILY))
                .setSequenceId(number))
        .build();
  }
}
