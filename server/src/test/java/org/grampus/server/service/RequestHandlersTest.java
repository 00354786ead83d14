package org.grampus.server.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.CallQueueTooBigException;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos;
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
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;
import org.grampus.server.memory.MemoryAccount;
import org.grampus.server.memory.MemoryPeer;
import org.grampus.server.memory.MemoryPeers;
import org.grampus.server.memory.MemoryUse;
import org.grampus.server.testkit.InjectedRegion;
import org.grampus.server.testkit.LocalCluster;
import org.grampus.server.testkit.RawClient;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Where requests begin: small ones on the event loop, large ones on a pool. */
class RequestHandlersTest {
  private static final byte[] F = Bytes.toBytes("f");
  private static final byte[] Q = Bytes.toBytes("q");
  private static final byte[] ROW = Bytes.toBytes("row");

  /** Payloads whose requests are just below and above what an event loop begins. */
  private static final int SMALL_BYTES = 64 * 1024 - 1000;

  private static final int LARGE_BYTES = 64 * 1024;

  /** A Multi's turn on a loop is a time: where the machine pauses, it is over at once. */
  private static final int TRIES = 100;

  private static final String LOOP = "rpc-loop";
  private static final String HANDLER = "rpc-handler";

  /** The threads that the engine was asked on. */
  private final List<String> threads = Collections.synchronizedList(new ArrayList<>());

  private LocalCluster cluster;
  private InjectedRegion engine;
  private RegionSpecifier region;
  private RawClient client;

  @BeforeEach
  void start() throws IOException {
    cluster = new LocalCluster(new Configuration(false));
    engine = cluster.addRegion("", "");
    engine.beforeGet = this::note;
    engine.beforeBatch = this::note;
    region = cluster.region("");
    client = new RawClient(cluster.server().port(), "", "2.6.1");
  }

  private void note() {
    threads.add(Thread.currentThread().getName());
  }

  @AfterEach
  void stop() throws IOException {
    client.close();
    cluster.close();
  }

  private void assertBeginsOnALoopWhenSmall(
      String method, Message small, Message large, Message prototype) throws IOException {
    assertEquals(LOOP, threadOf(method, small, prototype));
    assertEquals(HANDLER, threadOf(method, large, prototype));
  }

  private void assertMultiBeginsOnALoopWhenSmall(Action.Builder small, Action.Builder large)
      throws IOException {
    Message prototype = MultiResponse.getDefaultInstance();
    MultiRequest request = multiRequest(small);
    String thread = threadOf("Multi", request, prototype);
    for (int i = 1; i < TRIES && !thread.equals(LOOP); i++) {
      thread = threadOf("Multi", request, prototype);
    }
    assertEquals(LOOP, thread);
    assertEquals(HANDLER, threadOf("Multi", multiRequest(large), prototype));
  }

  /** The name, without its numbers, of the thread that begins a call. */
  private String threadOf(String method, Message param, Message prototype) throws IOException {
    threads.clear();
    RawClient.Reply<?> reply = client.call(method, param, new byte[0], prototype);
    assertFalse(reply.header().hasException(), () -> reply.header().getException().toString());
    assertEquals(1, threads.size(), threads::toString);
    return threads.get(0).replaceAll("[-\\d]+$", "");
  }

  private static ClientProtos.Get get(int bytes) throws IOException {
    return ProtobufUtil.toGet(new Get(ROW).setAttribute("large", new byte[bytes]));
  }

  private static MutationProto put(int bytes) throws IOException {
    Mutation put = new Put(ROW).addColumn(F, Q, new byte[bytes]);
    return ProtobufUtil.toMutation(MutationType.PUT, put);
  }

  private GetRequest getRequest(int bytes) throws IOException {
    return GetRequest.newBuilder().setRegion(region).setGet(get(bytes)).build();
  }

  private MutateRequest mutateRequest(int bytes) throws IOException {
    return MutateRequest.newBuilder().setRegion(region).setMutation(put(bytes)).build();
  }

  private MultiRequest multiRequest(Action.Builder action) {
    return MultiRequest.newBuilder()
        .addRegionAction(RegionAction.newBuilder().setRegion(region).addAction(action))
        .build();
  }

  @Test
  void aLargeGetBeginsOnAPool() throws IOException {
    assertBeginsOnALoopWhenSmall(
        "Get", getRequest(SMALL_BYTES), getRequest(LARGE_BYTES), GetResponse.getDefaultInstance());
  }

  @Test
  void aGetWithoutMemoryIsRefusedWhereItWouldLeaveItsLoop() throws IOException {
    MemoryAccount account = cluster.server().dispatcher().account();
    MemoryPeer other = new MemoryPeers(1).enter(null);
    long most = account.pool(MemoryUse.MESSAGES).limit() / 16 * 15;
    engine.getsWouldBlock.set(1);
    engine.beforeGet =
        () -> {
          note();
          account.force(MemoryUse.MESSAGES, other, most);
        };
    RawClient.Reply<?> reply =
        client.call("Get", getRequest(0), new byte[0], GetResponse.getDefaultInstance());
    account.release(MemoryUse.MESSAGES, other, most);
    assertEquals(
        CallQueueTooBigException.class.getName(),
        reply.header().getException().getExceptionClassName());
    assertEquals(1, threads.size(), "it did not run again");
  }

  @Test
  void aLargeMutateBeginsOnAPool() throws IOException {
    assertBeginsOnALoopWhenSmall(
        "Mutate",
        mutateRequest(SMALL_BYTES),
        mutateRequest(LARGE_BYTES),
        MutateResponse.getDefaultInstance());
  }

  @Test
  void aLargeMultiBeginsOnAPool() throws IOException {
    assertMultiBeginsOnALoopWhenSmall(
        Action.newBuilder().setGet(get(SMALL_BYTES)), Action.newBuilder().setGet(get(LARGE_BYTES)));
    assertMultiBeginsOnALoopWhenSmall(
        Action.newBuilder().setMutation(put(SMALL_BYTES)),
        Action.newBuilder().setMutation(put(LARGE_BYTES)));
  }
}
