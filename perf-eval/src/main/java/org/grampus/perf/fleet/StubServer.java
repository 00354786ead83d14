package org.grampus.perf.fleet;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.RegionLoad;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.ServerLoad;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier.RegionSpecifierType;
import org.apache.hbase.thirdparty.com.google.protobuf.UnsafeByteOperations;

/** One server of a fleet, as far as a master can see it. Any thread. */
public final class StubServer {
  private static final int HEAP_MB = 4096;
  private static final int REGION_MB = 512;

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
            .setUsedHeapMB(HEAP_MB / 2)
            .setMaxHeapMB(HEAP_MB)
            .setNumberOfRequests(0)
            .setTotalNumberOfRequests(toMillis);
    regions.values().forEach(region -> load.addRegionLoads(load(region, toMillis)));
    return load.build();
  }

  private static RegionLoad load(RegionInfo region, long requests) {
    return RegionLoad.newBuilder()
        .setRegionSpecifier(
            RegionSpecifier.newBuilder()
                .setType(RegionSpecifierType.REGION_NAME)
                .setValue(UnsafeByteOperations.unsafeWrap(region.getRegionName())))
        .setStores(1)
        .setStorefiles(2)
        .setStoreUncompressedSizeMB(REGION_MB)
        .setStorefileSizeMB(REGION_MB)
        .setMemStoreSizeMB(1)
        .setReadRequestsCount(requests)
        .setWriteRequestsCount(requests)
        .setDataLocality(1.0f)
        .build();
  }
}
