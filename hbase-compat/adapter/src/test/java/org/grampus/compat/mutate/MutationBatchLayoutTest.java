package org.grampus.compat.mutate;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.filter.BinaryComparator;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Condition;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto.MutationType;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.CompareType;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.junit.jupiter.api.Test;

/** The batch as this side writes it, against the file that the engine's test compares with. */
class MutationBatchLayoutTest {
  private static final Path GOLDEN = Path.of("../../native/testdata/boundary/mutation_batch.txt");
  private static final byte[] ROW = Bytes.toBytes("r");
  private static final byte[] F = Bytes.toBytes("f");
  private static final byte[] Q = Bytes.toBytes("q");
  private static final byte[] VALUE = Bytes.toBytes("v");
  private static final List<byte[]> FAMILIES = List.of(F);

  private final List<String> lines = new ArrayList<>();

  private void line(String name, int code) {
    lines.add(name + " " + code);
  }

  private void codes() {
    line("flag.non_blocking", MutationBatchWriter.NON_BLOCKING);
    line("flag.admitted", MutationBatchWriter.ADMITTED);
    line("flag.with_tags", MutationBatchWriter.WITH_TAGS);
    line("kind.put", OpKind.PUT);
    line("kind.delete", OpKind.DELETE);
    line("kind.increment", OpKind.INCREMENT);
    line("kind.append", OpKind.APPEND);
    line("kind.atomic_row", OpKind.ATOMIC_ROW);
    line("kind.check", OpKind.CHECK);
    line("kind.multi_row", OpKind.MULTI_ROW);
    line("kind.multi_row_check", OpKind.MULTI_ROW_CHECK);
    line("op_flag.return_result", OpKind.RETURN_RESULT);
    line("condition.column", ConditionWriter.COLUMN);
    line("condition.filter", ConditionWriter.FILTER);
    line("condition.empty", ConditionWriter.EMPTY);
    line("condition.compared", ConditionWriter.COMPARED);
  }

  private static Condition condition() {
    return Condition.newBuilder()
        .setRow(ByteString.copyFrom(ROW))
        .setFamily(ByteString.copyFrom(F))
        .setQualifier(ByteString.copyFrom(Q))
        .setCompareType(CompareType.EQUAL)
        .setComparator(ProtobufUtil.toComparator(new BinaryComparator(VALUE)))
        .build();
  }

  private void example() throws Exception {
    Put put = new Put(ROW).addColumn(F, Q, 7, VALUE).setDurability(Durability.ASYNC_WAL);
    Increment increment =
        new Increment(ROW).addColumn(F, Bytes.toBytes("n"), 3).setTimeRange(10, 20);
    Delete delete = new Delete(ROW).addColumns(F, Q, 9);
    RequestCells cells = new RequestCells();
    cells.reset(null);
    MutationBatchWriter batch = new MutationBatchWriter(Unpooled.buffer(), Unpooled.buffer());
    batch.start(5, false);
    batch.admitted();
    batch.withTags();
    MutationAdapter.write(ProtobufUtil.toMutation(MutationType.PUT, put), cells, FAMILIES, batch);
    MutationAdapter.write(
        ProtobufUtil.toMutation(MutationType.INCREMENT, increment, 77), cells, FAMILIES, batch);
    CheckAndMutateAdapter.write(
        condition(), ProtobufUtil.toMutation(MutationType.DELETE, delete), cells, FAMILIES, batch);
    batch.finish();
    lines.add("example.ops " + ByteBufUtil.hexDump(batch.ops()));
    lines.add(
        "example.cells "
            + ByteBufUtil.hexDump(batch.cells(), batch.cellsStart(), batch.cellsLength()));
  }

  @Test
  void theBatchIsThatOfTheEngine() throws Exception {
    codes();
    example();
    assertEquals(Files.readAllLines(GOLDEN), lines);
  }
}
