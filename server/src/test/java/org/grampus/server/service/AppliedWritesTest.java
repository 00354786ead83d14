package org.grampus.server.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.CallQueueTooBigException;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Action;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.GetRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.GetResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutateRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutateResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto.MutationType;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.RegionAction;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Result;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ResultOrException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;
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

/**
 * Writes whose memory runs out between the write and its reply. CallQueueTooBigException says that
 * nothing was done, so a client would do it again.
 */
class AppliedWritesTest {
  private static final byte[] F = Bytes.toBytes("f");
  private static final byte[] Q = Bytes.toBytes("q");

  /** Their reply is larger than one that is made unreserved. */
  private static final int INCREMENTS = 3_000;

  private final MemoryPeer others = new MemoryPeers(1).enter(null);
  private LocalCluster cluster;
  private InjectedRegion engine;
  private MemoryAccount account;
  private RegionSpecifier region;
  private RawClient client;
  private MemoryUse filled;
  private long filledBytes;
  private long buffersBefore;

  @BeforeEach
  void start() throws IOException {
    buffersBefore = PooledMemory.buffersInUse();
    cluster = new LocalCluster(new Configuration(false));
    engine = cluster.addRegion("", "");
    account = cluster.server().dispatcher().account();
    region = cluster.region("");
    client = new RawClient(cluster.server().port(), "", null);
  }

  @AfterEach
  void stop() throws IOException {
    if (filled != null) {
      account.release(filled, others, filledBytes);
    }
    client.close();
    cluster.close();
    for (MemoryUse use : MemoryUse.values()) {
      assertEquals(0, account.used(use), use.name());
    }
    PooledMemory.assertBuffersInUse(buffersBefore);
  }

  /** Others take all that there is of the pool. */
  private void fill(MemoryUse use) {
    if (filled != null) {
      return; // the batch has come twice: first where it may not block
    }
    filled = use;
    filledBytes = account.pool(use).limit();
    account.force(use, others, filledBytes);
  }

  private static MutationProto increment(String row) throws IOException {
    return ProtobufUtil.toMutation(
        MutationType.INCREMENT, new Increment(Bytes.toBytes(row)).addColumn(F, Q, 1));
  }

  private MultiRequest increments() throws IOException {
    RegionAction.Builder actions = RegionAction.newBuilder().setRegion(region);
    for (int i = 0; i < INCREMENTS; i++) {
      actions.addAction(Action.newBuilder().setIndex(i).setMutation(increment("row" + i)));
    }
    return MultiRequest.newBuilder().addRegionAction(actions).build();
  }

  private <M extends Message> M call(String method, Message param, M prototype) throws IOException {
    RawClient.Reply<M> reply = client.call(method, param, new byte[0], prototype);
    assertFalse(reply.header().hasException(), () -> reply.header().getException().toString());
    return reply.message();
  }

  private void assertIncremented(MultiResponse reply) {
    assertFalse(reply.getRegionActionResult(0).hasException());
    List<ResultOrException> results = reply.getRegionActionResult(0).getResultOrExceptionList();
    assertEquals(INCREMENTS, results.size());
    for (ResultOrException result : results) {
      assertFalse(result.hasException(), () -> result.getException().toString());
      assertEquals(1, counter(result.getResult()));
    }
    assertEquals(1, engine.batches.get());
  }

  private static long counter(Result result) {
    return Bytes.toLong(result.getCell(0).getValue().toByteArray());
  }

  @Test
  void aMultiIsAnsweredThoughThereIsNoMemoryForItsReply() throws IOException {
    engine.beforeBatch = () -> fill(MemoryUse.REPLIES);
    assertIncremented(call("Multi", increments(), MultiResponse.getDefaultInstance()));
  }

  @Test
  void theActionsOfAMultiAreAnsweredThoughThereIsNoMemoryForTheirCells() throws IOException {
    engine.beforeBatch = () -> fill(MemoryUse.RESULTS);
    assertIncremented(call("Multi", increments(), MultiResponse.getDefaultInstance()));
  }

  @Test
  void anIncrementIsAnsweredThoughThereIsNoMemoryForItsCells() throws IOException {
    engine.beforeBatch = () -> fill(MemoryUse.RESULTS);
    MutateRequest request =
        MutateRequest.newBuilder().setRegion(region).setMutation(increment("a")).build();
    MutateResponse reply = call("Mutate", request, MutateResponse.getDefaultInstance());
    assertEquals(1, counter(reply.getResult()));
    assertEquals(1, engine.batches.get());
  }

  @Test
  void eachActionCountsItsOwnCells() throws Exception {
    engine.completesItself = false;
    MultiRequest request = increments();
    CompletableFuture<MultiResponse> reply =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return call("Multi", request, MultiResponse.getDefaultInstance());
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
    while (engine.batches.get() == 0 || cluster.server().dispatcher().activeHandlers() > 0) {
      Thread.onSpinWait();
    }
    long used = account.used(MemoryUse.RESULTS);
    assertTrue(used < INCREMENTS * 1000L, used + " bytes");
    cluster.completions().complete(engine.lastToken, 0);
    assertIncremented(reply.get(30, TimeUnit.SECONDS));
  }

  @Test
  void aReadForWhichThereIsNoMemoryIsRefused() throws IOException {
    engine.load(new KeyValue(Bytes.toBytes("a"), F, Q, 1, Bytes.toBytes("v")));
    engine.beforeGet = () -> fill(MemoryUse.RESULTS);
    GetRequest request =
        GetRequest.newBuilder()
            .setRegion(region)
            .setGet(ProtobufUtil.toGet(new Get(Bytes.toBytes("a"))))
            .build();
    assertEquals(
        CallQueueTooBigException.class.getName(),
        client
            .call("Get", request, new byte[0], GetResponse.getDefaultInstance())
            .header()
            .getException()
            .getExceptionClassName());
  }
}
