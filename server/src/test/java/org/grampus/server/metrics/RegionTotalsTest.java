package org.grampus.server.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.grampus.engine.CompactionState;
import org.grampus.engine.RegionStats;
import org.grampus.server.region.BlockWeights;
import org.grampus.server.region.OnlineRegion;
import org.grampus.server.region.PlacedRegion;
import org.junit.jupiter.api.Test;

/** What {@code percentFilesLocal} is made of. */
class RegionTotalsTest {
  private static final TableName NAME = TableName.valueOf("t");

  private final RegionTotals totals = new RegionTotals();

  private static OnlineRegion region() {
    return new OnlineRegion(
        RegionInfoBuilder.newBuilder(NAME).build(),
        TableDescriptorBuilder.newBuilder(NAME).build(),
        null,
        1);
  }

  private static RegionStats files(long bytes) {
    return new RegionStats(
        0,
        bytes,
        1,
        1,
        0,
        new RegionStats.FileParts(0, 0, 0, 0, 0),
        new RegionStats.Readers(0, 0),
        new RegionStats.FileTimes(0, 0, 0),
        0,
        new RegionStats.Compaction(CompactionState.NONE, 0, 0, 0),
        new RegionStats.Compacted(0, 0, 0, 0),
        new RegionStats.Blooms(0, 0, 0),
        List.of());
  }

  @Test
  void blocksOfAllRegionsCountByTheirBytes() {
    assertEquals(0, totals.localPart(), "nothing is not local");
    totals.add(PlacedRegion.of(region(), new BlockWeights(30, 0, 40)), files(40));
    totals.add(PlacedRegion.of(region(), new BlockWeights(0, 0, 20)), files(20));
    assertEquals(0.5, totals.localPart());
  }

  @Test
  void filesOnLocalDisksAreHere() {
    totals.add(region(), files(40));
    assertEquals(1, totals.localPart());
  }
}
