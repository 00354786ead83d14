package org.grampus.server.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.codec.Codec;
import org.apache.hadoop.hbase.codec.KeyValueCodec;
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
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.CompareType;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier.RegionSpecifierType;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.apache.hbase.thirdparty.com.google.protobuf.CodedOutputStream;
import org.grampus.server.region.OnlineRegion;
import org.grampus.server.testkit.RawClient;
import org.junit.jupiter.api.Test;

/** Rules of the protocol that HBase's own client does not show: other clients and older ones. */
@SuppressWarnings("deprecation") // fields that only old clients use are what is tested
class WireRulesTest extends WireTest {
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
