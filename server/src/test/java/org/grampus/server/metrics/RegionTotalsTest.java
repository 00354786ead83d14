package org.grampus.server.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.grampus.engine.RegionStats;
import org.grampus.server.region.BlockWeights;
import org.grampus.server.region.OnlineRegion;
import org.grampus.server.testkit.StatsOfRegions;
import org.junit.jupiter.api.Test;

/** What {@code percentFilesLocal} is made of. */
class RegionTotalsTest {
  private static final TableName NAME = TableName.valueOf("t");

  private final RegionTotals totals = new RegionTotals();

  @Test
  void blocksOfAllRegionsCountByTheirBytes() {
    assertEquals(0, totals.localPart(), "nothing is not local");
    totals.add(StatsOfRegions.withFile(40), new BlockWeights(30, 0, 40));
    totals.add(StatsOfRegions.withFile(20), new BlockWeights(0, 0, 20));
    assertEquals(0.5, totals.localPart());
  }

  @Test
  void filesOnLocalDisksAreHere() {
    OnlineRegion region =
        new OnlineRegion(
            RegionInfoBuilder.newBuilder(NAME).build(),
            TableDescriptorBuilder.newBuilder(NAME).build(),
            null,
            1);
    RegionStats stats = StatsOfRegions.withFile(40);
    totals.add(stats, BlockWeights.of(region, stats));
    assertEquals(1, totals.localPart());
  }
}
