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
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.codec.KeyValueCodec;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Action;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Get;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto.MutationType;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.RegionAction;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.io.compress.GzipCodec;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.grampus.server.memory.MemoryAccount;
import org.grampus.server.memory.MemoryPeer;
import org.grampus.server.memory.MemoryPeers;
import org.grampus.server.memory.MemoryUse;
import org.grampus.server.testkit.CapturedLog;
import org.grampus.server.testkit.InjectedRegion;
import org.grampus.server.testkit.LocalCluster;
import org.grampus.server.testkit.PooledMemory;
import org.grampus.server.testkit.RawClient;
import org.junit.jupiter.api.Test;

/** Replies that wait for the log, to a client that wants its cells compressed. */
class CompressedRepliesTest {
  private static final byte[] F = Bytes.toBytes("f");
  private static final byte[] Q = Bytes.toBytes("q");

  /** Larger than a chunk of Netty's pool; half of it, with which a compressor begins, is not. */
  private static final int LARGE_BYTES = 6 << 20;

  /** More than a reply has unasked. */
  private static final int MEDIUM_BYTES = 200_000;

  private static final long WAIT_NANOS = TimeUnit.SECONDS.toNanos(30);

  private static RawClient client(LocalCluster cluster) throws IOException {
    String codec = KeyValueCodec.class.getName();
    String gzip = GzipCodec.class.getName();
    return new RawClient(cluster.server().port(), "ClientService", codec, "2.6.1", gzip);
  }

  private static Action.Builder get(String row) {
    return Action.newBuilder().setGet(Get.newBuilder().setRow(ByteString.copyFromUtf8(row)));
  }

  private static MultiRequest getAndPut(LocalCluster cluster) throws IOException {
    Put put = new Put(Bytes.toBytes("put")).addColumn(F, Q, new byte[1]);
    return MultiRequest.newBuilder()
        .addRegionAction(
            RegionAction.newBuilder()
                .setRegion(cluster.region(""))
                .addAction(get("large"))
                .addAction(
                    Action.newBuilder()
                        .setMutation(ProtobufUtil.toMutation(MutationType.PUT, put))))
        .build();
  }

  private static RawClient.Reply<MultiResponse> call(RawClient client, MultiRequest request) {
    try {
      return client.call("Multi", request, new byte[0], MultiResponse.getDefaultInstance());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** By the thread that has made them, and not by the event loop that ends the wait. */
  @Test
  void cellsAreCompressedBeforeTheirReplyWaits() throws Exception {
    try (LocalCluster cluster = new LocalCluster(new Configuration(false))) {
      InjectedRegion engine = cluster.addRegion("", "");
      engine.load(new KeyValue(Bytes.toBytes("large"), F, Q, 1, new byte[LARGE_BYTES]));
      engine.completesItself = false;
      long before = PooledMemory.hugeBuffersInUse();
      try (RawClient client = client(cluster)) {
        MultiRequest request = getAndPut(cluster);
        var reply = CompletableFuture.supplyAsync(() -> call(client, request));
        awaitCompressed(engine, before);
        assertFalse(reply.isDone());
        cluster.completions().complete(engine.lastToken, 0);
        int bytes = reply.get(30, TimeUnit.SECONDS).cells().length;
        assertTrue(bytes > 0 && bytes < LARGE_BYTES / 100, bytes + " bytes");
      }
    }
  }

  private static void awaitCompressed(InjectedRegion engine, long before) {
    long end = System.nanoTime() + WAIT_NANOS;
    while (engine.batches.get() == 0 || PooledMemory.hugeBuffersInUse() > before) {
      if (System.nanoTime() - end > 0) {
        break;
      }
      Thread.onSpinWait();
    }
    assertEquals(1, engine.batches.get());
    assertEquals(before, PooledMemory.hugeBuffersInUse(), "large buffers of a reply that waits");
  }

  /** Clients try again, each of which would fill the log with a stack. */
  @Test
  void aReplyForWhichThereIsNoMemoryIsNoFailureOfTheServer() throws Exception {
    try (LocalCluster cluster = new LocalCluster(new Configuration(false));
        CapturedLog log = CapturedLog.of("org.grampus.server.rpc");
        RawClient client = client(cluster)) {
      InjectedRegion engine = cluster.addRegion("", "");
      engine.load(new KeyValue(Bytes.toBytes("medium"), F, Q, 1, new byte[MEDIUM_BYTES]));
      MemoryAccount account = cluster.server().dispatcher().account();
      MemoryPeer others = new MemoryPeers(1).enter(null);
      long limit = account.pool(MemoryUse.REPLIES).limit();
      engine.beforeGet =
          () -> {
            long used = account.used(MemoryUse.REPLIES);
            if (used > MEDIUM_BYTES && used < limit) { // the cells are there
              account.force(MemoryUse.REPLIES, others, limit);
            }
          };
      RegionAction.Builder gets =
          RegionAction.newBuilder()
              .setRegion(cluster.region(""))
              .addAction(get("medium"))
              .addAction(get("none"));
      var reply = call(client, MultiRequest.newBuilder().addRegionAction(gets).build());
      account.release(MemoryUse.REPLIES, others, limit);
      assertEquals(
          CallQueueTooBigException.class.getName(),
          reply.header().getException().getExceptionClassName());
      assertEquals(List.of(), log.lines());
    }
  }
}
