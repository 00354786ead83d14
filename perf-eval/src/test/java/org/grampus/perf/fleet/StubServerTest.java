package org.grampus.perf.fleet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.MetaTableAccessor;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.RegionLoad;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.ServerLoad;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.StoreSequenceId;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hbase.thirdparty.com.google.protobuf.Descriptors.FieldDescriptor;
import org.junit.jupiter.api.Test;

final class StubServerTest {
  private static final RegionInfo REGION =
      RegionInfoBuilder.newBuilder(TableName.valueOf("t"))
          .setStartKey(Bytes.toBytes("a"))
          .setEndKey(Bytes.toBytes("b"))
          .build();

  /** What region servers of Grampus leave out, see docs/operations.md. */
  private static final Set<String> LEFT_OUT =
      Set.of(
          "data_locality_for_ssd", "blocks_local_with_ssd_weight", "current_region_cached_ratio");

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

  @Test
  void aRegionHasAllFieldsOfARegionServersReport() {
    StubServer server = new StubServer(ServerName.valueOf("127.1.0.1", 1, 1));
    server.open(REGION);
    RegionLoad load = server.load(1000, 4000).getRegionLoads(0);

    assertEquals(
        LEFT_OUT,
        RegionLoad.getDescriptor().getFields().stream()
            .filter(field -> !load.getAllFields().containsKey(field))
            .map(FieldDescriptor::getName)
            .collect(Collectors.toSet()));
  }

  /** A master refuses those that fall. */
  @Test
  void sequenceIdsRise() {
    StubServer server = new StubServer(ServerName.valueOf("127.1.0.1", 1, 1));
    server.open(REGION);
    RegionLoad before = server.load(1000, 4000).getRegionLoads(0);
    RegionLoad after = server.load(4000, 7000).getRegionLoads(0);

    assertTrue(after.getCompleteSequenceId() > before.getCompleteSequenceId());
    StoreSequenceId store = after.getStoreCompleteSequenceId(0);
    assertEquals(StubServer.FAMILY, store.getFamilyName().toStringUtf8());
    assertTrue(store.getSequenceId() > before.getStoreCompleteSequenceId(0).getSequenceId());
  }
}
