package org.grampus.server.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.codec.KeyValueCodec;
import org.apache.hadoop.hbase.codec.KeyValueCodecWithTags;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Action;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Get;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutateRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutateResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto.ColumnValue;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto.ColumnValue.QualifierValue;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto.MutationType;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.RegionAction;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.RegionActionResult;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;
import org.grampus.compat.protocol.CellCursor;
import org.grampus.server.testkit.InjectedRegion;
import org.grampus.server.testkit.LocalCluster;
import org.grampus.server.testkit.PooledMemory;
import org.grampus.server.testkit.RawClient;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Which replies to increments and appends carry tags, read from their bytes and not through a
 * client.
 */
class TagsInRepliesTest {
  private static final byte[] TAG = {0, 3, 100, 1, 2};
  private static final ByteString F = ByteString.copyFromUtf8("f");
  private static final String PLAIN = KeyValueCodec.class.getName();
  private static final String WITH_TAGS = KeyValueCodecWithTags.class.getName();
  private static final int LARGE_BYTES = 100_000;

  private LocalCluster cluster;
  private InjectedRegion engine;
  private RegionSpecifier region;
  private long buffersBefore;

  @BeforeEach
  void start() throws IOException {
    buffersBefore = PooledMemory.buffersInUse();
    cluster = new LocalCluster(new Configuration(false));
    engine = cluster.addRegion("", "");
    region = cluster.region("");
  }

  @AfterEach
  void stop() throws IOException {
    cluster.close();
    PooledMemory.assertBuffersInUse(buffersBefore);
  }

  private static MutationProto delta(MutationType type, String row, int valueBytes) {
    QualifierValue value =
        QualifierValue.newBuilder()
            .setQualifier(ByteString.copyFromUtf8("q"))
            .setValue(ByteString.copyFrom(new byte[valueBytes]))
            .setTags(ByteString.copyFrom(TAG))
            .build();
    return MutationProto.newBuilder()
        .setRow(ByteString.copyFromUtf8(row))
        .setMutateType(type)
        .addColumnValue(ColumnValue.newBuilder().setFamily(F).addQualifierValue(value))
        .build();
  }

  private static Action action(MutationType type, String row, int valueBytes) {
    return Action.newBuilder().setMutation(delta(type, row, valueBytes)).build();
  }

  private static Action get(String row) {
    return Action.newBuilder()
        .setGet(Get.newBuilder().setRow(ByteString.copyFromUtf8(row)))
        .build();
  }

  private <M extends Message> RawClient.Reply<M> call(
      String codec, String method, Message param, M prototype) throws IOException {
    try (RawClient client = new RawClient(cluster.server().port(), codec, "2.6.1")) {
      RawClient.Reply<M> reply = client.call(method, param, new byte[0], prototype);
      assertFalse(reply.header().hasException(), () -> reply.header().getException().toString());
      return reply;
    }
  }

  private RawClient.Reply<MutateResponse> mutate(String codec) throws IOException {
    MutateRequest request =
        MutateRequest.newBuilder()
            .setRegion(region)
            .setMutation(delta(MutationType.INCREMENT, "a", Long.BYTES))
            .build();
    return call(codec, "Mutate", request, MutateResponse.getDefaultInstance());
  }

  private RawClient.Reply<MultiResponse> multi(String codec, boolean atomic, Action... actions)
      throws IOException {
    MultiRequest request =
        MultiRequest.newBuilder()
            .addRegionAction(
                RegionAction.newBuilder()
                    .setRegion(region)
                    .setAtomic(atomic)
                    .addAllAction(List.of(actions)))
            .build();
    return call(codec, "Multi", request, MultiResponse.getDefaultInstance());
  }

  /** Each cell of the cell block as its row followed by the length of its tags: "a5". */
  private static List<String> cells(RawClient.Reply<?> reply) throws IOException {
    CellCursor cursor = new CellCursor().reset(Unpooled.wrappedBuffer(reply.cells()));
    List<String> found = new ArrayList<>();
    while (cursor.next()) {
      String row = Bytes.toString(reply.cells(), cursor.rowOffset(), cursor.rowLength());
      found.add(row + cursor.tagsLength());
    }
    return found;
  }

  private static List<Integer> associated(RegionActionResult result) {
    return result.getResultOrExceptionList().stream()
        .map(answer -> answer.getResult().getAssociatedCellCount())
        .toList();
  }

  @Test
  void anIncrementIsAnsweredWithTagsWhereTheCodecHasThem() throws IOException {
    assertEquals(List.of("a5"), cells(mutate(WITH_TAGS)));
    assertEquals(List.of("a0"), cells(mutate(PLAIN)));
    RawClient.Reply<MutateResponse> inMessage = mutate("");
    assertEquals(List.of(), cells(inMessage));
    assertFalse(inMessage.message().getResult().getCell(0).hasTags());
  }

  @Test
  void theCellBlockOfABatchIsInTheOrderOfItsResults() throws IOException {
    engine.load(
        new KeyValue(Bytes.toBytes("g"), F.toByteArray(), Bytes.toBytes("q"), F.toByteArray()));
    Action[] actions = {
      get("g"),
      action(MutationType.INCREMENT, "a", Long.BYTES),
      action(MutationType.APPEND, "b", 1),
      get("g"),
      action(MutationType.APPEND, "c", LARGE_BYTES),
      get("g"),
    };
    RawClient.Reply<MultiResponse> reply = multi(WITH_TAGS, false, actions);
    assertEquals(List.of("g0", "a5", "b5", "g0", "c5", "g0"), cells(reply));
    RegionActionResult result = reply.message().getRegionActionResult(0);
    assertEquals(List.of(1, 1, 1, 1, 1, 1), associated(result));
  }

  @Test
  void theMutationsOfABatchAreAnsweredInTheCellBlockWhereThereIsOne() throws IOException {
    Action[] actions = {action(MutationType.INCREMENT, "a", Long.BYTES)};
    assertEquals(List.of("a0"), cells(multi(PLAIN, false, actions)));
    RawClient.Reply<MultiResponse> inside = multi("", false, actions);
    assertEquals(List.of(), cells(inside));
    RegionActionResult result = inside.message().getRegionActionResult(0);
    assertFalse(result.getResultOrException(0).getResult().getCell(0).hasTags());
  }

  @Test
  void anAtomicGroupIsAnsweredInMessages() throws IOException {
    Action[] actions = {action(MutationType.INCREMENT, "a", Long.BYTES)};
    RawClient.Reply<MultiResponse> reply = multi(WITH_TAGS, true, actions);
    assertEquals(List.of(), cells(reply));
    RegionActionResult result = reply.message().getRegionActionResult(0);
    assertFalse(result.getResultOrException(0).getResult().getCell(0).hasTags());
  }
}
