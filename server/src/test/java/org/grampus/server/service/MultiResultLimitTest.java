package org.grampus.server.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.CallQueueTooBigException;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.KeyValueUtil;
import org.apache.hadoop.hbase.MultiActionResultTooLarge;
import org.apache.hadoop.hbase.RegionTooBusyException;
import org.apache.hadoop.hbase.client.RowTooBigException;
import org.apache.hadoop.hbase.codec.KeyValueCodec;
import org.apache.hadoop.hbase.codec.KeyValueCodecWithTags;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Action;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Get;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto.MutationType;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.RegionAction;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.RegionActionResult;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ResultOrException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.grampus.server.memory.MemoryAccount;
import org.grampus.server.memory.MemoryPeer;
import org.grampus.server.memory.MemoryPeers;
import org.grampus.server.memory.MemoryUse;
import org.grampus.server.testkit.InjectedRegion;
import org.grampus.server.testkit.LocalCluster;
import org.grampus.server.testkit.PooledMemory;
import org.grampus.server.testkit.RawClient;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What of a Multi runs and what is refused once its results exceed their limit. */
class MultiResultLimitTest {
  private static final byte[] F = Bytes.toBytes("f");
  private static final byte[] Q = Bytes.toBytes("q");
  private static final int LARGE_BYTES = 100_000;
  private static final int LIMIT_BYTES = 2 * LARGE_BYTES;

  private final ByteArrayOutputStream cells = new ByteArrayOutputStream();
  private LocalCluster cluster;
  private InjectedRegion engine;
  private RegionSpecifier region;
  private long buffersBefore;

  @BeforeEach
  void start() throws IOException {
    buffersBefore = PooledMemory.buffersInUse();
    Configuration conf = new Configuration(false);
    conf.setLong("hbase.server.scanner.max.result.size", LIMIT_BYTES);
    cluster = new LocalCluster(conf);
    engine = cluster.addRegion("", "");
    engine.load(new KeyValue(Bytes.toBytes("large"), F, Q, 1, new byte[LARGE_BYTES]));
    engine.load(new KeyValue(Bytes.toBytes("small"), F, Q, 1, new byte[1]));
    region = cluster.region("");
  }

  @AfterEach
  void stop() throws IOException {
    cluster.close();
    PooledMemory.assertBuffersInUse(buffersBefore);
  }

  private static Action get(String row) {
    return Action.newBuilder()
        .setGet(Get.newBuilder().setRow(ByteString.copyFromUtf8(row)))
        .build();
  }

  /** An action whose cell is in the request's cell block. */
  private Action mutation(MutationType type, String row) throws IOException {
    KeyValue cell = new KeyValue(Bytes.toBytes(row), F, Q, new byte[1]);
    KeyValueUtil.write(cell, new DataOutputStream(cells));
    return Action.newBuilder()
        .setMutation(
            MutationProto.newBuilder()
                .setRow(ByteString.copyFromUtf8(row))
                .setMutateType(type)
                .setAssociatedCellCount(1))
        .build();
  }

  private RegionAction.Builder actions(List<Action> actions) {
    return RegionAction.newBuilder().setRegion(region).addAllAction(actions);
  }

  private RegionAction.Builder actions(Action... actions) {
    return actions(Arrays.asList(actions));
  }

  private RawClient.Reply<MultiResponse> multi(
      String codec, String version, RegionAction.Builder... regionActions) throws IOException {
    MultiRequest.Builder request = MultiRequest.newBuilder();
    for (RegionAction.Builder actions : regionActions) {
      request.addRegionAction(actions);
    }
    MultiResponse prototype = MultiResponse.getDefaultInstance();
    try (RawClient client = new RawClient(cluster.server().port(), codec, version)) {
      RawClient.Reply<MultiResponse> reply =
          client.call("Multi", request.build(), cells.toByteArray(), prototype);
      assertFalse(reply.header().hasException(), () -> reply.header().getException().toString());
      return reply;
    }
  }

  /** Whether each action has a result; all others have been refused. */
  private static List<Boolean> done(RegionActionResult result) {
    List<Boolean> done = new ArrayList<>();
    for (ResultOrException answer : result.getResultOrExceptionList()) {
      done.add(answer.hasResult());
      String error = answer.hasResult() ? "" : MultiActionResultTooLarge.class.getName();
      assertEquals(error, answer.getException().getName());
    }
    return done;
  }

  private List<Action> pairs(int count) throws IOException {
    List<Action> pairs = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      pairs.add(mutation(MutationType.APPEND, "large"));
      pairs.add(get("small"));
    }
    return pairs;
  }

  @Test
  void whatAppendsAnswerCounts() throws IOException {
    for (String codec :
        List.of(KeyValueCodec.class.getName(), KeyValueCodecWithTags.class.getName())) {
      cells.reset();
      int before = engine.batches.get();
      RawClient.Reply<MultiResponse> reply =
          multi(codec, "2.6.1", actions(pairs(10)), actions(get("small")));
      List<Boolean> done = done(reply.message().getRegionActionResult(0));
      assertEquals(List.of(true, true, true), done.subList(0, 3), codec);
      assertFalse(done.subList(3, done.size()).contains(true), codec);
      assertEquals(2, engine.batches.get() - before, "what is answered as refused was not applied");
      assertEquals(List.of(false), done(reply.message().getRegionActionResult(1)));
      int bytes = reply.cells().length + reply.message().getSerializedSize();
      assertTrue(bytes < LIMIT_BYTES + LARGE_BYTES, () -> bytes + " bytes with " + codec);
    }
  }

  /** Each is a region action, so that no batch of the engine's is too large. */
  private RegionAction.Builder[] appendsOfTheirOwn(int count, boolean atomic) throws IOException {
    RegionAction.Builder[] all = new RegionAction.Builder[count];
    for (int i = 0; i < count; i++) {
      all[i] = actions(mutation(MutationType.APPEND, "large")).setAtomic(atomic);
    }
    return all;
  }

  @Test
  void appendsEndWhenThoseBeforeThemHaveAnsweredMuch() throws IOException {
    for (boolean atomic : new boolean[] {false, true}) {
      cells.reset();
      int before = engine.batches.get();
      RawClient.Reply<MultiResponse> reply =
          multi(KeyValueCodec.class.getName(), null, appendsOfTheirOwn(60, atomic));
      int run = engine.batches.get() - before;
      assertEquals(Results.MAX_MESSAGE_BYTES / LARGE_BYTES + 1, run, "the last one passes 2 MiB");
      for (int i = 0; i < 60; i++) {
        RegionActionResult result = reply.message().getRegionActionResult(i);
        String error =
            atomic
                ? result.getException().getName()
                : result.getResultOrException(0).getException().getName();
        assertEquals(i < run ? "" : RegionTooBusyException.class.getName(), error);
      }
    }
  }

  @Test
  void appendsForWhoseResultsThereIsNoMemoryDoNotRun() throws IOException {
    RegionActionResult plain = appendAndPut(MemoryUse.REPLIES, false);
    assertEquals(
        CallQueueTooBigException.class.getName(),
        plain.getResultOrException(0).getException().getName());
    assertTrue(plain.getResultOrException(1).hasResult(), "a put answers with nothing");
    RegionActionResult atomic = appendAndPut(MemoryUse.RESULTS, true);
    assertEquals(CallQueueTooBigException.class.getName(), atomic.getException().getName());
    assertEquals(1, engine.batches.get(), "the put alone");
  }

  /** While small calls alone get memory for a use. */
  private RegionActionResult appendAndPut(MemoryUse use, boolean atomic) throws IOException {
    MemoryAccount account = cluster.server().dispatcher().account();
    MemoryPeer others = new MemoryPeers(1).enter(null);
    long most = account.pool(use).limit() * 7 / 8;
    account.force(use, others, most);
    cells.reset();
    Action append = mutation(MutationType.APPEND, "large");
    RegionAction.Builder both = actions(append, mutation(MutationType.PUT, "large"));
    RawClient.Reply<MultiResponse> reply =
        multi(KeyValueCodec.class.getName(), "2.6.1", both.setAtomic(atomic));
    account.release(use, others, most);
    return reply.message().getRegionActionResult(0);
  }

  /** 32 bytes of a request for each, 400 bytes of the heap for its result. */
  @Test
  void anAtomicAppendOfColumnsWhoseMessagesFindNoMemoryDoesNotRun() throws IOException {
    long heap = cluster.server().dispatcher().account().pool(MemoryUse.RESULTS).largest();
    int columns = (int) (heap / 400);
    for (int i = 0; i < columns; i++) {
      KeyValue cell = new KeyValue(Bytes.toBytes("r"), F, Bytes.toBytes(i), new byte[1]);
      KeyValueUtil.write(cell, new DataOutputStream(cells));
    }
    MutationProto.Builder append =
        MutationProto.newBuilder()
            .setRow(ByteString.copyFromUtf8("r"))
            .setMutateType(MutationType.APPEND)
            .setAssociatedCellCount(columns);
    RawClient.Reply<MultiResponse> reply =
        multi(
            KeyValueCodec.class.getName(),
            "2.6.1",
            actions(Action.newBuilder().setMutation(append).build()).setAtomic(true));
    assertEquals(
        RowTooBigException.class.getName(),
        reply.message().getRegionActionResult(0).getException().getName());
    assertEquals(0, engine.batches.get());
  }

  @Test
  void theErrorsOfManyActionsTakeLittle() throws IOException {
    int count = 20_000;
    RegionAction.Builder empty = actions(Collections.nCopies(count, Action.getDefaultInstance()));
    RawClient.Reply<MultiResponse> reply = multi("", "2.6.1", empty);
    List<ResultOrException> answers =
        reply.message().getRegionActionResult(0).getResultOrExceptionList();
    assertEquals(count, answers.size());
    assertTrue(answers.stream().allMatch(ResultOrException::hasException));
    int bytes = reply.message().getSerializedSize();
    assertTrue(bytes < 2 * ActionErrors.TEXT_BYTES + count * 120, () -> bytes + " bytes");
  }

  @Test
  void aClientThatDoesNotKnowTheErrorGetsAll() throws IOException {
    RawClient.Reply<MultiResponse> reply =
        multi(KeyValueCodecWithTags.class.getName(), null, actions(pairs(5)));
    assertFalse(done(reply.message().getRegionActionResult(0)).contains(false));
  }

  @Test
  void whatStandsBeforeTheLimitRunsAndRefusedCellsAreSkipped() throws IOException {
    RegionAction.Builder plain =
        actions(
            mutation(MutationType.PUT, "before"),
            get("large"),
            get("large"),
            mutation(MutationType.PUT, "after"),
            get("small"));
    RegionAction.Builder atomic = actions(mutation(MutationType.PUT, "atomic")).setAtomic(true);
    RawClient.Reply<MultiResponse> reply =
        multi(KeyValueCodec.class.getName(), "2.6.1", plain, atomic);
    List<Boolean> done = done(reply.message().getRegionActionResult(0));
    assertEquals(List.of(true, true, true, false, false), done);
    assertEquals(List.of(true), done(reply.message().getRegionActionResult(1)));
    cells.reset();
    RegionActionResult found =
        multi("", "2.6.1", actions(get("before"), get("after"), get("atomic")))
            .message()
            .getRegionActionResult(0);
    List<Integer> counts =
        found.getResultOrExceptionList().stream().map(r -> r.getResult().getCellCount()).toList();
    assertEquals(List.of(1, 0, 1), counts);
  }
}
