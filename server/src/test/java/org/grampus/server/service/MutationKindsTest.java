package org.grampus.server.service;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.EnumMap;
import java.util.Map;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto.MutationType;
import org.grampus.server.env.Env;
import org.grampus.server.region.OnlineRegion;
import org.grampus.server.region.RequestCounters.Kind;
import org.junit.jupiter.api.Test;

class MutationKindsTest {
  private static final TableName TABLE = TableName.valueOf("t");

  private final OnlineRegion region =
      new OnlineRegion(
          RegionInfoBuilder.newBuilder(TABLE).build(),
          TableDescriptorBuilder.newBuilder(TABLE).build(),
          null,
          1);

  @Test
  void aLargeBatchIsCountedInFullAndItsLatencyEntersABoundedNumberOfTimes() {
    Map<Operation, Integer> ended = new EnumMap<>(Operation.class);
    Operations operations =
        new Operations(
            new OperationObserver() {
              @Override
              public void ended(
                  Operation operation, OnlineRegion of, long nanos, long scannedBytes) {
                ended.merge(operation, 1, Integer::sum);
              }
            });
    MutationKinds kinds = new MutationKinds(region, Env.nanos());
    for (int i = 0; i < 100_000; i++) {
      kinds.add(MutationType.INCREMENT);
    }
    kinds.add(MutationType.APPEND);
    kinds.add(MutationType.PUT);
    kinds.add(MutationType.PUT);
    kinds.applied(100_003);
    kinds.ended(operations);
    assertEquals(100_000, region.counters().counted(Kind.INCREMENT));
    assertEquals(1, region.counters().counted(Kind.APPEND));
    assertEquals(1, region.counters().counted(Kind.PUT));
    assertEquals(100_003, region.counters().writes());
    assertEquals(
        Map.of(
            Operation.INCREMENT,
            MutationKinds.LATENCIES_MAX,
            Operation.APPEND,
            1,
            Operation.PUT_BATCH,
            1),
        ended);
  }
}
