package org.grampus.server.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.CallQueueTooBigException;
import org.apache.hadoop.hbase.RegionTooBusyException;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.regionserver.RegionServerStoppedException;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Action;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutateRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutateResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto.MutationType;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.RegionAction;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.RegionActionResult;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ResultOrException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanResponse;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;
import org.grampus.engine.EngineException;
import org.grampus.engine.ErrorKind;
import org.grampus.server.testkit.InjectedRegion;
import org.grampus.server.testkit.LocalCluster;
import org.grampus.server.testkit.PooledMemory;
import org.grampus.server.testkit.RawClient;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A server with one handler and room for one more call in its queue. */
class OverloadTest {
  private static final byte[] F = Bytes.toBytes("f");
  private static final byte[] Q = Bytes.toBytes("q");
  private static final long MINUTE_MICROS = TimeUnit.MINUTES.toMicros(1);

  private final ExecutorService others = Executors.newCachedThreadPool();
  private final List<RawClient> clients = new ArrayList<>();
  private final CountDownLatch gate = new CountDownLatch(1);
  private LocalCluster cluster;
  private InjectedRegion low;
  private InjectedRegion high;
  private long buffersBefore;

  @BeforeEach
  void start() throws IOException {
    buffersBefore = PooledMemory.buffersInUse();
    Configuration conf = new Configuration(false);
    conf.setInt("hbase.regionserver.handler.count", 1);
    conf.setInt("hbase.ipc.server.max.callqueue.length", 1);
    cluster = new LocalCluster(conf);
    low = cluster.addRegion("", "m");
    high = cluster.addRegion("m", "");
  }

  @AfterEach
  void stop() throws IOException {
    gate.countDown();
    cluster.close();
    for (RawClient client : clients) {
      client.close();
    }
    others.shutdownNow();
    assertEquals(0, cluster.server().dispatcher().bytesInFlight());
    assertEquals(0, cluster.server().dispatcher().delayedCalls());
    PooledMemory.assertBuffersInUse(buffersBefore);
  }

  private <M extends Message> RawClient.Reply<M> call(String method, Message param, M prototype)
      throws IOException {
    RawClient client = new RawClient(cluster.server().port(), "", null);
    synchronized (clients) {
      clients.add(client);
    }
    return client.call(method, param, new byte[0], prototype);
  }

  private Future<RawClient.Reply<MutateResponse>> mutateElsewhere(String row) throws IOException {
    MutateRequest request =
        MutateRequest.newBuilder().setRegion(cluster.region(row)).setMutation(put(row)).build();
    return others.submit(() -> call("Mutate", request, MutateResponse.getDefaultInstance()));
  }

  private void fillHandlerAndQueue() throws Exception {
    high.gate = gate;
    high.wouldBlock.set(1);
    Future<?> running = mutateElsewhere("x");
    await(() -> cluster.server().dispatcher().activeHandlers() == 1);
    high.wouldBlock.set(1);
    Future<?> queued = mutateElsewhere("y");
    await(() -> cluster.server().dispatcher().queuedCalls() == 1);
    assertFalse(running.isDone() || queued.isDone());
  }

  private static void await(Callable<Boolean> condition) throws Exception {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    while (!condition.call()) {
      assertTrue(System.nanoTime() < end, "nothing happened for 20 s");
      Thread.sleep(1);
    }
  }

  private static MutationProto put(String row) throws IOException {
    return ProtobufUtil.toMutation(
        MutationType.PUT, new Put(Bytes.toBytes(row)).addColumn(F, Q, Bytes.toBytes("v")));
  }

  private static Action.Builder increment(String row) throws IOException {
    return Action.newBuilder()
        .setMutation(
            ProtobufUtil.toMutation(
                MutationType.INCREMENT, new Increment(Bytes.toBytes(row)).addColumn(F, Q, 1)));
  }

  private static Action.Builder get(String row) throws IOException {
    return Action.newBuilder().setGet(ProtobufUtil.toGet(new Get(Bytes.toBytes(row))));
  }

  private RegionAction.Builder actions(String row, Action.Builder... actions) {
    RegionAction.Builder list = RegionAction.newBuilder().setRegion(cluster.region(row));
    for (int i = 0; i < actions.length; i++) {
      list.addAction(actions[i].setIndex(i));
    }
    return list;
  }

  private static long counter(ResultOrException result) {
    return Bytes.toLong(result.getResult().getCell(0).getValue().toByteArray());
  }

  @Test
  void writesThatWaitHoldNoHandler() throws Exception {
    low.waits.set(1);
    low.waitMicros = MINUTE_MICROS;
    Future<RawClient.Reply<MutateResponse>> waiting = mutateElsewhere("a");
    await(() -> cluster.server().dispatcher().delayedCalls() == 1);
    ScanRequest scan =
        ScanRequest.newBuilder()
            .setRegion(cluster.region("z"))
            .setScan(ProtobufUtil.toScan(new Scan()))
            .setNumberOfRows(10)
            .setCloseScanner(true)
            .build();
    assertFalse(call("Scan", scan, ScanResponse.getDefaultInstance()).header().hasException());
    assertFalse(waiting.isDone());
    cluster.server().dispatcher().close();
    assertEquals(
        RegionServerStoppedException.class.getName(),
        waiting.get().header().getException().getExceptionClassName());
  }

  @Test
  void aWriteThatHasWaitedIsDone() throws Exception {
    low.waits.set(1);
    assertTrue(mutateElsewhere("a").get().message().getProcessed());
    low.waits.set(1);
    low.wouldBlock.set(1);
    assertTrue(mutateElsewhere("a").get().message().getProcessed());
    assertEquals(2, low.batches.get());
  }

  @Test
  void aBatchThatFailedAfterItsWaitLeavesTheNextToWaitForItself() throws Exception {
    low.waits.set(1);
    low.beforeBatch =
        () -> {
          throw new EngineException(ErrorKind.BUSY, "no");
        };
    high.waits.set(1);
    MultiRequest multi =
        MultiRequest.newBuilder()
            .addRegionAction(actions("a", increment("a")))
            .addRegionAction(actions("z", increment("z")))
            .build();
    List<RegionActionResult> results =
        call("Multi", multi, MultiResponse.getDefaultInstance())
            .message()
            .getRegionActionResultList();
    assertEquals(
        RegionTooBusyException.class.getName(),
        results.get(0).getResultOrException(0).getException().getName());
    assertEquals(1, counter(results.get(1).getResultOrException(0)));
    assertEquals(0, high.waits.get(), "the second batch was asked to wait");
  }

  @Test
  void writesThatWaitAreBounded() throws Exception {
    low.waits.set(2);
    low.waitMicros = MINUTE_MICROS;
    Future<RawClient.Reply<MutateResponse>> waiting = mutateElsewhere("a");
    await(() -> cluster.server().dispatcher().delayedCalls() == 1);
    assertEquals(
        CallQueueTooBigException.class.getName(),
        mutateElsewhere("b").get().header().getException().getExceptionClassName());
    assertFalse(waiting.isDone());
    assertEquals(0, low.batches.get());
  }

  @Test
  void aMultiThatFindsTheQueueFullSaysWhatItHasDone() throws Exception {
    fillHandlerAndQueue();
    high.wouldBlock.set(1);
    MultiRequest multi =
        MultiRequest.newBuilder()
            .addRegionAction(actions("a", increment("a")))
            .addRegionAction(actions("z", increment("z"), get("z")))
            .addRegionAction(actions("b", increment("b")))
            .build();
    RawClient.Reply<MultiResponse> reply = call("Multi", multi, MultiResponse.getDefaultInstance());
    assertFalse(reply.header().hasException(), () -> reply.header().getException().toString());
    List<RegionActionResult> results = reply.message().getRegionActionResultList();
    assertEquals(1, counter(results.get(0).getResultOrException(0)));
    for (RegionActionResult refused : results.subList(1, 3)) {
      assertEquals(CallQueueTooBigException.class.getName(), refused.getException().getName());
      assertEquals(0, refused.getResultOrExceptionCount());
    }
    assertEquals(1, low.batches.get(), "only what is answered as done was done");
  }

  @Test
  void aStepOfARegionThatFindsTheQueueFullIsAnsweredActionByAction() throws Exception {
    fillHandlerAndQueue();
    low.getsWouldBlock.set(1);
    MultiRequest multi =
        MultiRequest.newBuilder()
            .addRegionAction(actions("a", increment("a"), get("a"), increment("a")))
            .build();
    RegionActionResult result =
        call("Multi", multi, MultiResponse.getDefaultInstance()).message().getRegionActionResult(0);
    assertEquals(1, counter(result.getResultOrException(0)));
    for (ResultOrException refused : result.getResultOrExceptionList().subList(1, 3)) {
      assertEquals(CallQueueTooBigException.class.getName(), refused.getException().getName());
    }
  }

  @Test
  void aMultiOfSlowGetsLeavesTheEventLoop() throws Exception {
    Set<String> threads = ConcurrentHashMap.newKeySet();
    low.beforeGet =
        () -> {
          threads.add(Thread.currentThread().getName().replaceAll("[-0-9]+$", ""));
          long end = System.nanoTime() + 2_000_000;
          while (System.nanoTime() - end < 0) {
            Thread.onSpinWait();
          }
        };
    MultiRequest multi =
        MultiRequest.newBuilder().addRegionAction(actions("a", get("a"), get("b"))).build();
    assertFalse(call("Multi", multi, MultiResponse.getDefaultInstance()).header().hasException());
    assertEquals(Set.of("rpc-loop", "rpc-handler"), threads);
  }

  /** Each further get could hold the handler for two seconds. */
  @Test
  void getsBehindOneThatWaitedInVainDoNotWait() throws Exception {
    AtomicInteger tried = new AtomicInteger();
    low.beforeGet =
        () -> {
          if (isOnPool() && tried.incrementAndGet() == 2) { // the second get
            low.getsWouldBlock.set(1); // as the third one would
            throw new EngineException(ErrorKind.BUSY, "others read large cells");
          }
        };
    low.getsWouldBlock.set(1); // the first get, which then runs on a pool
    MultiRequest multi =
        MultiRequest.newBuilder()
            .addRegionAction(actions("a", get("a"), get("b"), get("c"), increment("a"), get("a")))
            .addRegionAction(actions("z", get("z"), increment("z")))
            .build();
    List<RegionActionResult> results =
        call("Multi", multi, MultiResponse.getDefaultInstance())
            .message()
            .getRegionActionResultList();
    List<ResultOrException> first = results.get(0).getResultOrExceptionList();
    assertTrue(first.get(0).hasResult());
    for (ResultOrException refused : first.subList(1, 3)) {
      assertEquals(RegionTooBusyException.class.getName(), refused.getException().getName());
    }
    assertEquals(List.of(1L, 1L), first.subList(3, 5).stream().map(OverloadTest::counter).toList());
    assertTrue(results.get(1).getResultOrException(0).hasResult());
    assertEquals(1, counter(results.get(1).getResultOrException(1)));
  }

  @Test
  void getsOfAClientThatIsGoneAreNotRead() throws Exception {
    AtomicInteger tried = new AtomicInteger();
    low.beforeGet =
        () -> {
          if (isOnPool() && tried.incrementAndGet() == 1) {
            leave();
          }
        };
    low.getsWouldBlock.set(1);
    MultiRequest multi =
        MultiRequest.newBuilder()
            .addRegionAction(actions("a", get("a"), get("b"), get("c")))
            .build();
    assertThrows(IOException.class, () -> call("Multi", multi, MultiResponse.getDefaultInstance()));
    await(() -> cluster.server().dispatcher().activeHandlers() == 0);
    assertEquals(1, tried.get());
  }

  private static boolean isOnPool() {
    return Thread.currentThread().getName().startsWith("rpc-handler");
  }

  private void leave() {
    try {
      clients.get(0).close();
      await(() -> cluster.server().connectionCount() == 0);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void aGetSeesTheIncrementsBeforeItInItsMulti() throws Exception {
    MultiRequest multi =
        MultiRequest.newBuilder()
            .addRegionAction(
                actions("a", get("a"), increment("a"), get("a"), increment("a"), get("a")))
            .build();
    List<ResultOrException> results =
        call("Multi", multi, MultiResponse.getDefaultInstance())
            .message()
            .getRegionActionResult(0)
            .getResultOrExceptionList();
    assertEquals(0, results.get(0).getResult().getCellCount());
    assertEquals(
        List.of(1L, 1L, 2L, 2L),
        results.subList(1, 5).stream().map(OverloadTest::counter).toList());
  }
}
