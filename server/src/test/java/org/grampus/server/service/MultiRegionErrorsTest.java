package org.grampus.server.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.codec.Codec;
import org.apache.hadoop.hbase.codec.KeyValueCodec;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Action;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Get;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto.MutationType;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.RegionAction;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.RegionActionResult;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.grampus.engine.EngineException;
import org.grampus.engine.ErrorKind;
import org.grampus.server.memory.MemoryAccount;
import org.grampus.server.memory.MemoryUse;
import org.grampus.server.testkit.InjectedRegion;
import org.grampus.server.testkit.LocalCluster;
import org.grampus.server.testkit.PooledMemory;
import org.grampus.server.testkit.RawClient;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * An unexpected error in the second of three region actions. The client takes the cells of the
 * reply one after the other, so those of the failed one may not be among them.
 */
class MultiRegionErrorsTest {
  private static final byte[] F = Bytes.toBytes("f");
  private static final byte[] Q = Bytes.toBytes("q");

  private LocalCluster cluster;
  private InjectedRegion failing;
  private InjectedRegion last;
  private RawClient client;
  private long buffersBefore;

  @BeforeEach
  void start() throws IOException {
    buffersBefore = PooledMemory.buffersInUse();
    cluster = new LocalCluster(new Configuration(false));
    load(cluster.addRegion("", "b"), "a1", "a2");
    failing = cluster.addRegion("b", "c");
    load(failing, "b1", "b2");
    last = cluster.addRegion("c", "");
    load(last, "c1", "c2");
    client = new RawClient(cluster.server().port(), KeyValueCodec.class.getName(), "2.6.1");
  }

  private static void load(InjectedRegion engine, String... rows) {
    for (String row : rows) {
      engine.load(new KeyValue(Bytes.toBytes(row), F, Q, 1, Bytes.toBytes("v" + row)));
    }
  }

  @AfterEach
  void stop() throws IOException {
    client.close();
    cluster.close();
    PooledMemory.assertBuffersInUse(buffersBefore);
  }

  private static void fail() {
    throw new IllegalStateException("a defect");
  }

  private static Action get(String row) {
    return Action.newBuilder()
        .setGet(Get.newBuilder().setRow(ByteString.copyFromUtf8(row)))
        .build();
  }

  private static Action append(String row) throws IOException {
    Append append = new Append(Bytes.toBytes(row)).addColumn(F, Q, Q);
    return Action.newBuilder()
        .setMutation(ProtobufUtil.toMutation(MutationType.APPEND, append))
        .build();
  }

  private RegionAction.Builder actions(String row, Action... actions) {
    return RegionAction.newBuilder().setRegion(cluster.region(row)).addAllAction(List.of(actions));
  }

  /** Two gets before and two behind these actions; checks what comes back for them. */
  private RegionActionResult between(List<String> cellsBetween, Action... actions)
      throws IOException {
    MultiRequest request =
        MultiRequest.newBuilder()
            .addRegionAction(actions("a", get("a1"), get("a2")))
            .addRegionAction(actions("b", actions))
            .addRegionAction(actions("c", get("c1"), get("c2")))
            .build();
    RawClient.Reply<MultiResponse> reply =
        client.call("Multi", request, new byte[0], MultiResponse.getDefaultInstance());
    assertFalse(reply.header().hasException(), () -> reply.header().getException().toString());
    List<String> rows = new ArrayList<>(List.of("a1", "a2"));
    rows.addAll(cellsBetween);
    rows.addAll(List.of("c1", "c2"));
    assertEquals(rows, rows(reply.cells()));
    for (int neighbour : new int[] {0, 2}) {
      RegionActionResult result = reply.message().getRegionActionResult(neighbour);
      assertEquals(List.of(1, 1), counts(result));
    }
    return reply.message().getRegionActionResult(1);
  }

  private static List<Integer> counts(RegionActionResult result) {
    return result.getResultOrExceptionList().stream()
        .map(answer -> answer.getResult().getAssociatedCellCount())
        .toList();
  }

  private static List<String> rows(byte[] cells) throws IOException {
    List<String> rows = new ArrayList<>();
    Codec.Decoder decoder = new KeyValueCodec().getDecoder(new ByteArrayInputStream(cells));
    while (decoder.advance()) {
      rows.add(Bytes.toString(CellUtil.cloneRow(decoder.current())));
    }
    return rows;
  }

  private static void assertFailedAsAWhole(RegionActionResult result) {
    assertEquals(IOException.class.getName(), result.getException().getName());
    assertEquals(0, result.getResultOrExceptionCount());
  }

  @Test
  void anErrorInAGetFailsItsRegionAction() throws IOException {
    AtomicInteger gets = new AtomicInteger();
    failing.beforeGet =
        () -> {
          if (gets.incrementAndGet() == 2) {
            fail();
          }
        };
    assertFailedAsAWhole(between(List.of(), get("b1"), get("b2")));
    assertEquals(2, gets.get());
  }

  @Test
  void anErrorInABatchFailsTheGetsBeforeItToo() throws IOException {
    failing.beforeBatch = MultiRegionErrorsTest::fail;
    Put put = new Put(Bytes.toBytes("b3")).addColumn(F, Q, Q);
    Action.Builder action =
        Action.newBuilder().setMutation(ProtobufUtil.toMutation(MutationType.PUT, put));
    assertFailedAsAWhole(between(List.of(), get("b1"), action.build()));
  }

  /** The bytes that the Multi holds for replies when its last region action runs. */
  private long heldBehind(RuntimeException error) throws IOException {
    MemoryAccount account = cluster.server().dispatcher().account();
    AtomicLong held = new AtomicLong();
    failing.beforeBatch =
        () -> {
          throw error;
        };
    last.beforeGet = () -> held.set(account.used(MemoryUse.REPLIES));
    between(List.of(), append("b1"));
    return held.get();
  }

  @Test
  void anErrorInABatchGivesTheRoomOfItsResultsBack() throws IOException {
    for (RuntimeException error :
        List.of(
            new IllegalStateException("a defect"), new EngineException(ErrorKind.BUSY, "later"))) {
      long held = heldBehind(error);
      assertTrue(held < Results.MAX_MESSAGE_BYTES, () -> held + " bytes behind " + error);
    }
  }

  @Test
  void anErrorBehindAnAppliedWriteKeepsWhatCameBefore() throws IOException {
    AtomicInteger gets = new AtomicInteger();
    failing.beforeGet =
        () -> {
          if (gets.incrementAndGet() == 2) {
            fail();
          }
        };
    RegionActionResult result =
        between(List.of("b1", "b2"), get("b1"), append("b2"), get("b2"), get("b1"));
    assertEquals(List.of(1, 1, 0, 0), counts(result), "what was appended is answered");
    for (int rest = 2; rest < 4; rest++) {
      assertEquals(
          IOException.class.getName(), result.getResultOrException(rest).getException().getName());
    }
  }
}
