package org.grampus.server.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.codec.KeyValueCodec;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.RegexStringComparator;
import org.apache.hadoop.hbase.filter.ValueFilter;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Action;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Condition;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutateRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutateResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto.MutationType;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.RegionAction;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.NameBytesPair;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hbase.thirdparty.com.google.protobuf.UnsafeByteOperations;
import org.grampus.server.rpc.RunningCall;
import org.grampus.server.testkit.InjectedRegion;
import org.grampus.server.testkit.LocalCluster;
import org.grampus.server.testkit.RawClient;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The time that patterns may be searched is that of a call, and of a scan's way to its pause. */
class SearchTimeOfCallsTest {
  private static final byte[] F = Bytes.toBytes("f");
  private static final byte[] Q = Bytes.toBytes("q");
  private static final long LIMIT_MILLIS = 60_000;

  /** Nearly all of the time, so that a search still succeeds after it and not after two of it. */
  private static final long NEARLY_ALL_NANOS = TimeUnit.MILLISECONDS.toNanos(LIMIT_MILLIS - 10_000);

  private final AtomicInteger searches = new AtomicInteger();
  private LocalCluster cluster;
  private InjectedRegion engine;
  private RawClient client;

  @BeforeEach
  void start() throws IOException {
    Configuration conf = new Configuration(false);
    conf.setLong("grampus.pattern.timeout.ms", LIMIT_MILLIS);
    cluster = new LocalCluster(conf);
    engine = cluster.addRegion("", "");
    for (String row : new String[] {"a", "b", "c"}) {
      engine.load(new KeyValue(Bytes.toBytes(row), F, Q, 1, Bytes.toBytes("ab")));
    }
    client = new RawClient(cluster.server().port(), KeyValueCodec.class.getName(), "2.6.1");
  }

  @AfterEach
  void stop() throws IOException {
    client.close();
    cluster.close();
  }

  /** As a call does that has searched for nearly as long as it may. */
  private void searchForLong() {
    searches.incrementAndGet();
    RunningCall.searchTime().add(NEARLY_ALL_NANOS);
  }

  /** Of a form that the engine leaves to Java. */
  private static Filter filter() {
    return new ValueFilter(CompareOperator.EQUAL, new RegexStringComparator("b(?!c)"));
  }

  private MultiResponse multi(String... rows) throws IOException {
    RegionAction.Builder actions = RegionAction.newBuilder().setRegion(cluster.region(""));
    for (int i = 0; i < rows.length; i++) {
      Get get = new Get(Bytes.toBytes(rows[i])).setFilter(filter());
      actions.addAction(Action.newBuilder().setIndex(i).setGet(ProtobufUtil.toGet(get)));
    }
    MultiRequest request = MultiRequest.newBuilder().addRegionAction(actions).build();
    return client.call("Multi", request, new byte[0], MultiResponse.getDefaultInstance()).message();
  }

  private static void assertTooSlow(NameBytesPair error) {
    assertEquals("org.apache.hadoop.hbase.DoNotRetryIOException", error.getName());
    String text = error.getValue().toStringUtf8();
    assertTrue(text.contains("ms of searching"), text);
  }

  @Test
  void getsOfAMultiShareIt() throws IOException {
    engine.beforeGet = this::searchForLong;
    var results = multi("a", "b", "c").getRegionActionResult(0).getResultOrExceptionList();
    assertFalse(results.get(0).hasException());
    assertEquals(1, results.get(0).getResult().getAssociatedCellCount());
    assertTooSlow(results.get(1).getException());
    assertTooSlow(results.get(2).getException());
    results = multi("b").getRegionActionResult(0).getResultOrExceptionList();
    assertFalse(results.get(0).hasException(), "the next call has its own");
  }

  @Test
  void aConditionIsGivenUp() throws IOException {
    Put put = new Put(Bytes.toBytes("a")).addColumn(F, Bytes.toBytes("new"), Bytes.toBytes("v"));
    MutateRequest request =
        MutateRequest.newBuilder()
            .setRegion(cluster.region(""))
            .setMutation(ProtobufUtil.toMutation(MutationType.PUT, put))
            .setCondition(
                Condition.newBuilder()
                    .setRow(UnsafeByteOperations.unsafeWrap(put.getRow()))
                    .setFilter(ProtobufUtil.toFilter(filter())))
            .build();
    engine.beforeBatch = this::searchForLong;
    assertTrue(mutate(request).message().getProcessed());
    engine.beforeBatch =
        () -> {
          searchForLong();
          searchForLong();
        };
    RawClient.Reply<MutateResponse> refused = mutate(request);
    assertEquals(
        "org.apache.hadoop.hbase.DoNotRetryIOException",
        refused.header().getException().getExceptionClassName());
  }

  private RawClient.Reply<MutateResponse> mutate(MutateRequest request) throws IOException {
    return client.call("Mutate", request, new byte[0], MutateResponse.getDefaultInstance());
  }

  private RawClient.Reply<ScanResponse> scan() throws IOException {
    ScanRequest request =
        ScanRequest.newBuilder()
            .setRegion(cluster.region(""))
            .setScan(ProtobufUtil.toScan(new Scan().setFilter(filter())))
            .setNumberOfRows(10)
            .build();
    return client.call("Scan", request, new byte[0], ScanResponse.getDefaultInstance());
  }

  @Test
  void aScanHasItAnewAfterEachPause() throws IOException {
    engine.scannersPause = true;
    engine.beforeNext =
        () -> {
          searchForLong();
          engine.scannersPause = searches.get() < 3;
        };
    assertEquals(3, scan().message().getCellsPerResultCount());
    assertEquals(3, searches.get());
  }

  @Test
  void aScanThatComesToNoPauseIsGivenUp() throws IOException {
    engine.beforeNext =
        () -> {
          searchForLong();
          searchForLong();
        };
    assertEquals(
        "org.apache.hadoop.hbase.DoNotRetryIOException",
        scan().header().getException().getExceptionClassName());
  }
}
