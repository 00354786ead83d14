package org.grampus.server.region;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hbase.HDFSBlocksDistribution;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.RegionLoad;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.ServerLoad;
import org.grampus.engine.CompactionState;
import org.grampus.engine.RegionStats;
import org.grampus.server.testkit.StatsOfRegions;
import org.junit.jupiter.api.Test;

class LoadReportTest {
  private static final TableName NAME = TableName.valueOf("t");

  private static final RegionStats NOTHING = StatsOfRegions.withoutFiles();

  private static OnlineRegion region() {
    return new OnlineRegion(
        RegionInfoBuilder.newBuilder(NAME).build(),
        TableDescriptorBuilder.newBuilder(NAME)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
            .build(),
        null,
        1);
  }

  @Test
  void everySizeIsReportedInHBasesUnits() {
    RegionStats stats =
        new RegionStats(
            3L << 20,
            11L << 20,
            6,
            5,
            1,
            new RegionStats.FileParts(7L << 20, 13L << 20, 17 << 10, 19 << 10, 512),
            new RegionStats.Readers(23, 29),
            new RegionStats.FileTimes(1, 2, 3),
            31,
            new RegionStats.Compaction(CompactionState.MAJOR, 37, 41, 43),
            new RegionStats.Compacted(0, 0, 0, 0),
            new RegionStats.Blooms(0, 0, 0),
            List.of(new RegionStats.Store(new byte[] {0x66}, 6, 11L << 20, 47)));
    RegionLoad load = LoadReport.region(region(), stats);
    assertEquals(
        List.of(1, 6, 23, 29, 13, 11, 7, 3, 17, 19, 1),
        List.of(
            load.getStores(),
            load.getStorefiles(),
            load.getStoreRefCount(),
            load.getMaxCompactedStoreFileRefCount(),
            load.getStoreUncompressedSizeMB(),
            load.getStorefileSizeMB(),
            load.getRegionSizeMB(),
            load.getMemStoreSizeMB(),
            load.getRootIndexSizeKB(),
            load.getTotalStaticIndexSizeKB(),
            load.getTotalStaticBloomSizeKB()));
    assertEquals(
        List.of(11L << 20, 11L << 20, 37L, 41L, 43L, 31L, 47L),
        List.of(
            load.getBlocksTotalWeight(),
            load.getBlocksLocalWeight(),
            load.getLastMajorCompactionTs(),
            load.getTotalCompactingKVs(),
            load.getCurrentCompactedKVs(),
            load.getCompleteSequenceId(),
            load.getStoreCompleteSequenceId(0).getSequenceId()));
    assertEquals(17, load.getStorefileIndexSizeKB());
    assertEquals(1.0f, load.getDataLocality());
  }

  @Test
  void whatIsNotKnownIsLeftOut() {
    RegionLoad load = LoadReport.region(region(), NOTHING);
    assertFalse(load.hasDataLocalityForSsd());
    assertFalse(load.hasBlocksLocalWithSsdWeight());
    assertFalse(load.hasCurrentRegionCachedRatio());
    assertEquals(0, load.getTotalStaticBloomSizeKB(), "nothing is not rounded up");
  }

  @Test
  void onHdfsTheBlocksOfTheServersOwnHostAreLocal() {
    HDFSBlocksDistribution found = new HDFSBlocksDistribution();
    StorageType[] types = {StorageType.SSD, StorageType.DISK};
    found.addHostsAndBlockWeight(new String[] {"here", "there"}, 30, types);
    found.addHostsAndBlockWeight(new String[] {"there", "here"}, 50, types);
    found.addHostsAndBlockWeight(new String[] {"there", "elsewhere"}, 20, types);
    OnlineRegion region = region();
    region.blockWeights(BlockWeights.onHost(found, "here"));
    RegionLoad load = LoadReport.region(region, NOTHING);
    assertEquals(0.8f, load.getDataLocality());
    assertEquals(0.3f, load.getDataLocalityForSsd());
    assertEquals(
        List.of(80L, 30L, 100L),
        List.of(
            load.getBlocksLocalWeight(),
            load.getBlocksLocalWithSsdWeight(),
            load.getBlocksTotalWeight()));
    region.blockWeights(BlockWeights.NONE);
    assertEquals(0, LoadReport.region(region, NOTHING).getDataLocality(), "as in HBase");
  }

  @Test
  void theRateOfRowsStaysWhenARegionLeaves() {
    RegionRegistry registry = new RegionRegistry(() -> ServerName.valueOf("host", 1, 1));
    LoadReport report = new LoadReport(registry, Map::of, () -> 0, 16030);
    OnlineRegion region = region();
    registry.add(region);
    region.counters().read(5);
    region.counters().write(2);
    registry.remove(region.encodedName());
    ServerLoad first = report.server(0, 1000);
    assertEquals(16030, first.getInfoServerPort(), "where the master's page links to");
    assertEquals(7, first.getNumberOfRequests());
    region.counters().read(1);
    assertEquals(1, report.server(1000, 2000).getNumberOfRequests(), "a call that ends late");
    assertEquals(0, report.server(2000, 3000).getNumberOfRequests());
  }

  /** A batch of a thousand rows is one call; the master adds up what a report has more. */
  @Test
  void theTotalIsOfCallsAsInHBase() {
    RegionRegistry registry = new RegionRegistry(() -> ServerName.valueOf("host", 1, 1));
    AtomicLong calls = new AtomicLong(3);
    LoadReport report = new LoadReport(registry, Map::of, calls::get, 16030);
    OnlineRegion region = region();
    registry.add(region);
    region.counters().write(1000);
    ServerLoad load = report.server(0, 1000);
    assertEquals(3, load.getTotalNumberOfRequests());
    assertEquals(1000, load.getNumberOfRequests());
    calls.incrementAndGet();
    assertEquals(4, report.server(1000, 2000).getTotalNumberOfRequests());
  }
}
