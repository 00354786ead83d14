package org.grampus.server.service;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.codec.KeyValueCodec;
import org.apache.hadoop.hbase.filter.BinaryComparator;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.CellProtos.Cell;
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
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Result;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.CompareType;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.apache.hbase.thirdparty.com.google.protobuf.CodedOutputStream;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;
import org.grampus.server.testkit.InjectedRegion;
import org.grampus.server.testkit.LocalCluster;
import org.grampus.server.testkit.PooledMemory;
import org.grampus.server.testkit.RawClient;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Puts, deletes, increments and appends as one operation: MutateRows, and an atomic Multi. */
class AtomicRowsTest {
  private static final byte[] F = Bytes.toBytes("f");
  private static final byte[] PUT = Bytes.toBytes("put");
  private static final byte[] DELETED = Bytes.toBytes("deleted");
  private static final byte[] COUNTER = Bytes.toBytes("counter");
  private static final byte[] TEXT = Bytes.toBytes("text");
  private static final byte[] OLD = Bytes.toBytes("old");

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
    client = new RawClient(cluster.server().port(), KeyValueCodec.class.getName(), null);
  }

  @AfterEach
  void stop() throws IOException {
    client.close();
    cluster.close();
    PooledMemory.assertBuffersInUse(buffersBefore);
  }

  private void load(String row, byte[] qualifier, byte[] value) {
    engine.load(new KeyValue(Bytes.toBytes(row), F, qualifier, 1, value));
  }

  /** One of each kind, each on its row. */
  private List<MutationProto> mutations(String put, String delete, String increment, String append)
      throws IOException {
    load(delete, DELETED, OLD);
    load(increment, COUNTER, Bytes.toBytes(37L));
    load(append, TEXT, OLD);
    return List.of(
        ProtobufUtil.toMutation(
            MutationType.PUT, new Put(Bytes.toBytes(put)).addColumn(F, PUT, PUT)),
        ProtobufUtil.toMutation(
            MutationType.DELETE, new Delete(Bytes.toBytes(delete)).addColumns(F, DELETED)),
        ProtobufUtil.toMutation(
            MutationType.INCREMENT,
            new Increment(Bytes.toBytes(increment)).addColumn(F, COUNTER, 5)),
        ProtobufUtil.toMutation(
            MutationType.APPEND, new Append(Bytes.toBytes(append)).addColumn(F, TEXT, TEXT)));
  }

  private <M extends Message> M call(String method, Message param, M prototype) throws IOException {
    RawClient.Reply<M> reply = client.call(method, param, new byte[0], prototype);
    assertFalse(reply.header().hasException(), () -> reply.header().getException().toString());
    assertEquals(0, reply.cells().length);
    return reply.message();
  }

  /** The value of a column, empty when it is not there. */
  private byte[] value(String row, byte[] qualifier) throws IOException {
    GetRequest get =
        GetRequest.newBuilder()
            .setRegion(region)
            .setGet(ProtobufUtil.toGet(new Get(Bytes.toBytes(row)).addColumn(F, qualifier)))
            .build();
    Result result = call("Get", get, GetResponse.getDefaultInstance()).getResult();
    return result.getCellCount() == 0 ? new byte[0] : result.getCell(0).getValue().toByteArray();
  }

  /** Calls MutateRows, whose messages are only in the old protobuf. */
  private boolean mutateRows(List<MutationProto> mutations, Condition... conditions)
      throws IOException {
    ByteArrayOutputStream request = new ByteArrayOutputStream();
    CodedOutputStream out = CodedOutputStream.newInstance(request);
    for (MutationProto mutation : mutations) {
      out.writeMessage(1, mutation);
    }
    for (Condition condition : conditions) {
      out.writeMessage(5, condition);
    }
    out.flush();
    CoprocessorServiceRequest call =
        CoprocessorServiceRequest.newBuilder()
            .setRegion(region)
            .setCall(
                CoprocessorServiceCall.newBuilder()
                    .setRow(ByteString.EMPTY)
                    .setServiceName("MultiRowMutationService")
                    .setMethodName("MutateRows")
                    .setRequest(ByteString.copyFrom(request.toByteArray())))
            .build();
    ByteString processed =
        call("ExecService", call, CoprocessorServiceResponse.getDefaultInstance())
            .getValue()
            .getValue();
    assertEquals(2, processed.size());
    return processed.byteAt(1) == 1;
  }

  private static Condition equal(String row, byte[] qualifier, byte[] value) throws IOException {
    return Condition.newBuilder()
        .setRow(ByteString.copyFromUtf8(row))
        .setFamily(ByteString.copyFrom(F))
        .setQualifier(ByteString.copyFrom(qualifier))
        .setCompareType(CompareType.valueOf(CompareOperator.EQUAL.name()))
        .setComparator(ProtobufUtil.toComparator(new BinaryComparator(value)))
        .build();
  }

  @Test
  void mutateRowsTakesEveryKind() throws IOException {
    assertTrue(mutateRows(mutations("w", "x", "y", "z")));
    assertEquals(1, engine.batches.get());
    assertArrayEquals(PUT, value("w", PUT));
    assertArrayEquals(new byte[0], value("x", DELETED));
    assertArrayEquals(Bytes.toBytes(42L), value("y", COUNTER));
    assertArrayEquals(Bytes.add(OLD, TEXT), value("z", TEXT));
  }

  @Test
  void mutateRowsUnderConditions() throws IOException {
    List<MutationProto> mutations = mutations("w", "x", "y", "z");
    Condition holds = equal("x", DELETED, OLD);
    assertFalse(mutateRows(mutations, holds, equal("z", TEXT, PUT)));
    assertArrayEquals(Bytes.toBytes(37L), value("y", COUNTER));
    assertArrayEquals(OLD, value("z", TEXT));
    assertTrue(mutateRows(mutations, holds, equal("z", TEXT, OLD)));
    assertArrayEquals(Bytes.toBytes(42L), value("y", COUNTER));
    assertArrayEquals(Bytes.add(OLD, TEXT), value("z", TEXT));
  }

  @Test
  void mutateRowsWithoutMutationsSaysWhetherItsConditionsHold() throws IOException {
    load("x", TEXT, OLD);
    load("y", TEXT, OLD);
    assertTrue(mutateRows(List.of(), equal("x", TEXT, OLD), equal("y", TEXT, OLD)));
    assertFalse(mutateRows(List.of(), equal("x", TEXT, OLD), equal("y", TEXT, PUT)));
    assertTrue(mutateRows(List.of()));
  }

  @Test
  void theFirstResultOfAnAtomicMultiHasWhatItsIncrementsAndAppendsMade() throws IOException {
    RegionAction.Builder actions = RegionAction.newBuilder().setRegion(region).setAtomic(true);
    for (MutationProto mutation : mutations("row", "row", "row", "row")) {
      actions.addAction(Action.newBuilder().setMutation(mutation));
    }
    MultiRequest request = MultiRequest.newBuilder().addRegionAction(actions).build();
    MultiResponse reply = call("Multi", request, MultiResponse.getDefaultInstance());
    RegionActionResult result = reply.getRegionActionResult(0);
    assertTrue(result.getProcessed());
    List<Cell> made = result.getResultOrException(0).getResult().getCellList();
    assertEquals(
        List.of(ByteString.copyFrom(COUNTER), ByteString.copyFrom(TEXT)),
        made.stream().map(Cell::getQualifier).toList());
    assertEquals(ByteString.copyFrom(Bytes.toBytes(42L)), made.get(0).getValue());
    assertEquals(ByteString.copyFrom(Bytes.add(OLD, TEXT)), made.get(1).getValue());
    for (int i = 1; i < 4; i++) {
      assertEquals(0, result.getResultOrException(i).getResult().getCellCount());
      assertFalse(result.getResultOrException(i).hasException());
    }
    assertArrayEquals(PUT, value("row", PUT));
    assertArrayEquals(new byte[0], value("row", DELETED));
    assertArrayEquals(Bytes.toBytes(42L), value("row", COUNTER));
  }
}
