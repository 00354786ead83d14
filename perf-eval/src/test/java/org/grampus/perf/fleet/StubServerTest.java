package org.grampus.perf.fleet;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.apache.hadoop.hbase.MetaTableAccessor;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.ServerLoad;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

final class StubServerTest {
  private static final RegionInfo REGION =
      RegionInfoBuilder.newBuilder(TableName.valueOf("t"))
          .setStartKey(Bytes.toBytes("a"))
          .setEndKey(Bytes.toBytes("b"))
          .build();

  @Test
  void itReportsTheRegionsThatItHas() throws Exception {
    StubServer server = new StubServer(ServerName.valueOf("127.1.0.1", 1, 1));
    server.open(REGION);
    server.open(REGION);
    ServerLoad load = server.load(1000, 4000);
    assertEquals(1, load.getRegionLoadsCount());
    assertEquals(
        List.of(REGION.getRegionNameAsString()),
        load.getRegionLoadsList().stream()
            .map(region -> region.getRegionSpecifier().getValue().toStringUtf8())
            .toList());
    server.close(MetaTableAccessor.parseRegionInfoFromRegionName(REGION.getRegionName()));
    assertEquals(0, server.load(4000, 7000).getRegionLoadsCount());
  }
}
