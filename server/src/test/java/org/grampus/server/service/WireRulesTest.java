package org.grampus.server.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.UnknownScannerException;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.codec.Codec;
import org.apache.hadoop.hbase.codec.KeyValueCodec;
import org.apache.hadoop.hbase.exceptions.OutOfOrderScannerNextException;
import org.apache.hadoop.hbase.exceptions.UnknownProtocolException;
import org.apache.hadoop.hbase.filter.BinaryComparator;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Action;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Condition;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.CoprocessorServiceCall;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.CoprocessorServiceRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.CoprocessorServiceResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.GetRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.GetResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto.MutationType;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.RegionAction;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.RegionActionResult;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.CompareType;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier.RegionSpecifierType;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.apache.hbase.thirdparty.com.google.protobuf.CodedOutputStream;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;
import org.grampus.server.region.OnlineRegion;
import org.grampus.server.testkit.InjectedRegion;
import org.grampus.server.testkit.LocalCluster;
import org.grampus.server.testkit.PooledMemory;
import org.grampus.server.testkit.RawClient;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Rules of the protocol that HBase's own client does not show: other clients and older ones. */
@SuppressWarnings("deprecation") // fields that only old clients use are what is tested
class WireRulesTest {
  private static final byte[] F = Bytes.toBytes("f");
  private static final byte[] Q = Bytes.toBytes("q");
  private static final String KEY_VALUE_CODEC = KeyValueCodec.class.getName();

  private LocalCluster cluster;
  private InjectedRegion engine;
  private RegionSpecifier region;
  private RawClient client;
  private long buffersBefore;

  @BeforeEach
  void start() throws IOException {
    buffersBefore = PooledMemory.buffersInUse();
    cluster = new LocalCluster(new Configuration(false));
    engine = cluster.addRegion("", "");
    region = cluster.region("");
    connect(KEY_VALUE_CODEC, null);
  }

  private void connect(String codec, String version) throws IOException {
    if (client != null) {
      client.close();
    }
    client = new RawClient(cluster.server().port(), codec, version);
  }

  @AfterEach
  void stop() throws IOException {
    client.close();
    cluster.close();
    PooledMemory.assertBuffersInUse(buffersBefore);
  }

  private void load(String row) {
    engine.load(new KeyValue(Bytes.toBytes(row), F, Q, 5, Bytes.toBytes("v" + row)));
  }

  private <M extends Message> M call(String method, Message param, M prototype) throws IOException {
    RawClient.Reply<M> reply = client.call(method, param, new byte[0], prototype);
    assertFalse(reply.header().hasException(), () -> reply.header().getException().toString());
    return reply.message();
  }

  private void assertFails(Class<?> type, String method, Message param, Message prototype)
      throws IOException {
    RawClient.Reply<?> reply = client.call(method, param, new byte[0], prototype);
    assertEquals(type.getName(), reply.header().getException().getExceptionClassName());
    assertTrue(reply.header().getException().getStackTrace().startsWith(type.getName()));
  }

  private GetRequest get(String row) throws IOException {
    return GetRequest.newBuilder()
        .setRegion(region)
        .setGet(ProtobufUtil.toGet(new Get(Bytes.toBytes(row))))
        .build();
  }

  @Test
  void getWithoutVersionAnswersInProtobufThoughThereIsACodec() throws IOException {
    load("a");
    RawClient.Reply<GetResponse> old =
        client.call("Get", get("a"), new byte[0], GetResponse.getDefaultInstance());
    assertEquals(0, old.cells().length);
    assertEquals("va", old.message().getResult().getCell(0).getValue().toStringUtf8());
    connect(KEY_VALUE_CODEC, "2.6.1");
    RawClient.Reply<GetResponse> modern =
        client.call("Get", get("a"), new byte[0], GetResponse.getDefaultInstance());
    assertEquals(1, modern.message().getResult().getAssociatedCellCount());
    assertEquals(0, modern.message().getResult().getCellCount());
    assertTrue(modern.cells().length > 0);
    connect("", "2.6.1");
    assertEquals(
        1, call("Get", get("a"), GetResponse.getDefaultInstance()).getResult().getCellCount());
  }

  @Test
  void missingRowIsAnEmptyResult() throws IOException {
    assertTrue(call("Get", get("none"), GetResponse.getDefaultInstance()).hasResult());
  }

  @Test
  void closestRowBeforeIsAnUnknownProtocol() throws IOException {
    GetRequest request = get("a");
    GetRequest closest =
        request.toBuilder().setGet(request.getGet().toBuilder().setClosestRowBefore(true)).build();
    assertFails(UnknownProtocolException.class, "Get", closest, GetResponse.getDefaultInstance());
    MultiRequest multi =
        MultiRequest.newBuilder()
            .addRegionAction(
                RegionAction.newBuilder()
                    .setRegion(region)
                    .addAction(Action.newBuilder().setIndex(1).setGet(closest.getGet())))
            .build();
    RegionActionResult result =
        call("Multi", multi, MultiResponse.getDefaultInstance()).getRegionActionResult(0);
    assertEquals(
        UnknownProtocolException.class.getName(),
        result.getResultOrException(0).getException().getName());
  }

  @Test
  void unknownRegionNamesItself() throws IOException {
    GetRequest request =
        get("a").toBuilder()
            .setRegion(region.toBuilder().setValue(ByteString.copyFromUtf8("t,,9.0123.")))
            .build();
    assertFails(NotServingRegionException.class, "Get", request, GetResponse.getDefaultInstance());
  }

  @Test
  void encodedRegionNameIsAccepted() throws IOException {
    load("a");
    OnlineRegion online = cluster.regions().lookup(region);
    GetRequest request =
        get("a").toBuilder()
            .setRegion(
                RegionSpecifier.newBuilder()
                    .setType(RegionSpecifierType.ENCODED_REGION_NAME)
                    .setValue(ByteString.copyFromUtf8(online.encodedName())))
            .build();
    assertEquals(
        1, call("Get", request, GetResponse.getDefaultInstance()).getResult().getCellCount());
  }

  private static byte[] cells(Put... puts) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Codec.Encoder encoder = new KeyValueCodec().getEncoder(out);
    for (Put put : puts) {
      for (var cells : put.getFamilyCellMap().values()) {
        for (var cell : cells) {
          encoder.write(cell);
        }
      }
    }
    encoder.flush();
    return out.toByteArray();
  }

  private static Put put(String row) {
    return new Put(Bytes.toBytes(row)).addColumn(F, Q, Bytes.toBytes("v" + row));
  }

  private static Action.Builder inBlock(String row) {
    return Action.newBuilder()
        .setMutation(
            MutationProto.newBuilder()
                .setRow(ByteString.copyFromUtf8(row))
                .setMutateType(MutationType.PUT)
                .setAssociatedCellCount(1));
  }

  @Test
  void indexesAreEchoedInRequestOrderWithResultOrException() throws IOException {
    load("a");
    MultiRequest multi =
        MultiRequest.newBuilder()
            .addRegionAction(
                RegionAction.newBuilder()
                    .setRegion(region)
                    .addAction(inBlock("b").setIndex(1))
                    .addAction(Action.newBuilder().setIndex(2).setGet(get("a").getGet()))
                    .addAction(inBlock("c").setIndex(3)))
            .build();
    RawClient.Reply<MultiResponse> reply =
        client.call("Multi", multi, cells(put("b"), put("c")), MultiResponse.getDefaultInstance());
    RegionActionResult result = reply.message().getRegionActionResult(0);
    assertFalse(result.hasProcessed());
    assertFalse(reply.message().hasProcessed());
    for (int i = 0; i < 3; i++) {
      assertEquals(i + 1, result.getResultOrException(i).getIndex());
      assertTrue(result.getResultOrException(i).hasResult());
    }
    assertEquals(1, result.getResultOrException(1).getResult().getAssociatedCellCount());
    assertTrue(reply.cells().length > 0);
  }

  @Test
  void cellsOfAFailedRegionAreSkipped() throws IOException {
    MultiRequest multi =
        MultiRequest.newBuilder()
            .addRegionAction(
                RegionAction.newBuilder()
                    .setRegion(region.toBuilder().setValue(ByteString.copyFromUtf8("gone,,1.x.")))
                    .addAction(inBlock("lost").setIndex(0)))
            .addRegionAction(
                RegionAction.newBuilder().setRegion(region).addAction(inBlock("b").setIndex(1)))
            .build();
    RawClient.Reply<MultiResponse> reply =
        client.call(
            "Multi", multi, cells(put("lost"), put("b")), MultiResponse.getDefaultInstance());
    RegionActionResult failed = reply.message().getRegionActionResult(0);
    assertEquals(NotServingRegionException.class.getName(), failed.getException().getName());
    assertEquals(0, failed.getResultOrExceptionCount());
    assertTrue(reply.message().getRegionActionResult(1).getResultOrException(0).hasResult());
    assertEquals(
        "vb",
        call("Get", get("b"), GetResponse.getDefaultInstance())
            .getResult()
            .getCell(0)
            .getValue()
            .toStringUtf8());
  }

  @Test
  void conditionOfTheWholeRequestIsAnsweredWhereOldClientsLook() throws IOException {
    load("a");
    Condition condition =
        Condition.newBuilder()
            .setRow(ByteString.copyFromUtf8("a"))
            .setFamily(ByteString.copyFrom(F))
            .setQualifier(ByteString.copyFrom(Q))
            .setCompareType(CompareType.valueOf(CompareOperator.EQUAL.name()))
            .setComparator(ProtobufUtil.toComparator(new BinaryComparator(Bytes.toBytes("va"))))
            .build();
    MultiRequest.Builder multi =
        MultiRequest.newBuilder()
            .setCondition(condition)
            .addRegionAction(
                RegionAction.newBuilder()
                    .setRegion(region)
                    .setAtomic(true)
                    .addAction(inBlock("a")));
    for (boolean expected : new boolean[] {true, false}) {
      Put change = new Put(Bytes.toBytes("a")).addColumn(F, Q, Bytes.toBytes("changed"));
      MultiResponse reply =
          client
              .call("Multi", multi.build(), cells(change), MultiResponse.getDefaultInstance())
              .message();
      assertEquals(expected, reply.getProcessed());
      assertEquals(1, reply.getRegionActionResult(0).getResultOrExceptionCount());
    }
  }

  private ScanRequest.Builder open(int rows) throws IOException {
    return ScanRequest.newBuilder()
        .setRegion(region)
        .setScan(ProtobufUtil.toScan(new Scan()))
        .setNumberOfRows(rows);
  }

  private ScanResponse scan(ScanRequest.Builder request) throws IOException {
    return call("Scan", request.build(), ScanResponse.getDefaultInstance());
  }

  private static ScanRequest.Builder next(ScanResponse opened, int rows) {
    return ScanRequest.newBuilder().setScannerId(opened.getScannerId()).setNumberOfRows(rows);
  }

  @Test
  void scanRepliesEchoTheIdAndAlwaysSayWhetherThereIsMore() throws IOException {
    for (String row : new String[] {"a", "b", "c"}) {
      load(row);
    }
    ScanResponse opened = scan(open(0));
    assertTrue(opened.hasScannerId());
    assertTrue(opened.getTtl() > 0);
    assertTrue(opened.getMoreResultsInRegion());
    ScanResponse first = scan(next(opened, 2).setNextCallSeq(0));
    assertEquals(opened.getScannerId(), first.getScannerId());
    assertEquals(2, first.getCellsPerResultCount());
    assertEquals(2, first.getPartialFlagPerResultCount());
    assertTrue(first.hasMoreResults() && first.getMoreResults());
    assertTrue(first.getMoreResultsInRegion());
    ScanRequest repeated = next(opened, 2).setNextCallSeq(0).build();
    assertFails(
        OutOfOrderScannerNextException.class, "Scan", repeated, ScanResponse.getDefaultInstance());
    ScanResponse last = scan(next(opened, 2).setNextCallSeq(1));
    assertEquals(1, last.getCellsPerResultCount());
    assertTrue(last.getMoreResults());
    assertFalse(last.getMoreResultsInRegion());
    assertEquals(0, cluster.scanners().openCount());
  }

  @Test
  void theReplyThatOpensAScannerHasItsReadPoint() throws IOException {
    load("a");
    load("b");
    ScanResponse opened = scan(open(0));
    assertTrue(opened.getMvccReadPoint() > 0);
    assertEquals(0, opened.getCellsPerResultCount() + opened.getResultsCount());
    assertFalse(scan(next(opened, 1).setNextCallSeq(0)).hasMvccReadPoint());
    assertEquals(opened.getMvccReadPoint(), scan(open(1)).getMvccReadPoint());
  }

  @Test
  void lateCallAfterTheEndIsEmptyButWrongNumbersAndIdsAreNot() throws IOException {
    load("a");
    ScanResponse opened = scan(open(0));
    scan(next(opened, 5).setNextCallSeq(0));
    ScanResponse late = scan(next(opened, 5).setCloseScanner(true));
    assertEquals(opened.getScannerId(), late.getScannerId());
    assertFalse(late.hasMoreResults());
    assertFalse(late.hasMoreResultsInRegion());
    assertFails(
        OutOfOrderScannerNextException.class,
        "Scan",
        next(opened, 5).setNextCallSeq(9).build(),
        ScanResponse.getDefaultInstance());
    assertFails(
        UnknownScannerException.class,
        "Scan",
        ScanRequest.newBuilder().setScannerId(42).setNumberOfRows(1).build(),
        ScanResponse.getDefaultInstance());
  }

  @Test
  void oneCallOpensReadsAndCloses() throws IOException {
    load("a");
    load("b");
    ScanResponse reply = scan(open(1).setCloseScanner(true));
    assertEquals(1, reply.getCellsPerResultCount());
    assertTrue(reply.getMoreResultsInRegion());
    assertEquals(0, cluster.scanners().openCount());
    assertEquals(0, engine.openScanners.get());
  }

  @Test
  void anErrorOfTheJvmEndsTheScanner() throws IOException {
    load("a");
    ScanResponse opened = scan(open(0));
    engine.beforeNext =
        () -> {
          throw new StackOverflowError("too deep");
        };
    assertFails(
        IOException.class, "Scan", next(opened, 1).build(), ScanResponse.getDefaultInstance());
    assertEquals(0, engine.openScanners.get());
    assertEquals(0, cluster.scanners().openCount());
  }

  @Test
  void limitOfRowsEndsTheScan() throws IOException {
    for (String row : new String[] {"a", "b", "c"}) {
      load(row);
    }
    ScanResponse reply = scan(open(10).setLimitOfRows(2));
    assertEquals(2, reply.getCellsPerResultCount());
    assertFalse(reply.getMoreResults());
    assertEquals(0, cluster.scanners().openCount());
  }

  @Test
  void renewOnlyKeepsTheLease() throws IOException {
    load("a");
    ScanResponse opened = scan(open(0));
    ScanResponse renewed = scan(next(opened, 0).setRenew(true));
    assertFalse(renewed.hasMoreResults());
    assertFalse(renewed.hasMoreResultsInRegion());
    assertEquals(1, cluster.scanners().openCount());
    scan(next(opened, 0).setCloseScanner(true));
    assertEquals(0, cluster.scanners().openCount());
  }

  @Test
  void scannerOfARegionThatMovedEnds() throws IOException {
    load("a");
    ScanResponse opened = scan(open(0));
    cluster.regions().remove(cluster.regions().lookup(region).encodedName());
    assertFails(
        NotServingRegionException.class,
        "Scan",
        next(opened, 1).build(),
        ScanResponse.getDefaultInstance());
    assertEquals(0, engine.openScanners.get());
  }

  @Test
  void mutateRowsOfSeveralRows() throws IOException {
    ByteArrayOutputStream request = new ByteArrayOutputStream();
    CodedOutputStream out = CodedOutputStream.newInstance(request);
    for (String row : new String[] {"x", "y"}) {
      out.writeMessage(1, ProtobufUtil.toMutation(MutationType.PUT, put(row)));
    }
    out.flush();
    CoprocessorServiceCall.Builder service =
        CoprocessorServiceCall.newBuilder()
            .setRow(ByteString.copyFromUtf8("x"))
            .setServiceName("MultiRowMutationService")
            .setMethodName("MutateRows")
            .setRequest(ByteString.copyFrom(request.toByteArray()));
    CoprocessorServiceRequest.Builder call =
        CoprocessorServiceRequest.newBuilder().setRegion(region).setCall(service);
    CoprocessorServiceResponse reply =
        call("ExecService", call.build(), CoprocessorServiceResponse.getDefaultInstance());
    assertEquals(
        "org.apache.hadoop.hbase.protobuf.generated.MultiRowMutationProtos$MutateRowsResponse",
        reply.getValue().getName());
    assertEquals(ByteString.copyFrom(new byte[] {8, 1}), reply.getValue().getValue());
    assertEquals(1, engine.batches.get());
    assertEquals(
        1, call("Get", get("y"), GetResponse.getDefaultInstance()).getResult().getCellCount());
    assertFails(
        UnknownProtocolException.class,
        "ExecService",
        call.setCall(service.setServiceName("AggregateService")).build(),
        CoprocessorServiceResponse.getDefaultInstance());
    assertFails(
        UnknownProtocolException.class,
        "ExecService",
        call.setCall(service.setServiceName("GrampusSplitService")).build(),
        CoprocessorServiceResponse.getDefaultInstance());
  }
}
