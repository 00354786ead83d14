package org.grampus.server.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.grampus.server.region.OnlineRegion;
import org.grampus.server.region.RegionRegistry;
import org.junit.jupiter.api.Test;

class LoadReportTest {
  private static final TableName NAME = TableName.valueOf("t");

  @Test
  void theNumberOfAllRequestsStaysWhenARegionLeaves() {
    RegionRegistry registry = new RegionRegistry(() -> ServerName.valueOf("host", 1, 1));
    LoadReport report = new LoadReport(registry, -1);
    OnlineRegion region =
        OnlineRegion.over(
            RegionInfoBuilder.newBuilder(NAME).build(),
            TableDescriptorBuilder.newBuilder(NAME)
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
                .build(),
            null,
            1);
    registry.add(region);
    region.counters().read(5);
    region.counters().write(2);
    registry.remove(region.encodedName());
    assertEquals(7, report.server(0, 1000).getTotalNumberOfRequests());
    region.counters().read(1);
    assertEquals(8, report.server(1000, 2000).getTotalNumberOfRequests(), "a call that ends late");
    assertEquals(0, report.server(2000, 3000).getNumberOfRequests());
  }
}
