package org.grampus.compat.mutate;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.WrongRowIOException;
import org.apache.hadoop.hbase.codec.Codec;
import org.apache.hadoop.hbase.codec.KeyValueCodec;
import org.apache.hadoop.hbase.codec.KeyValueCodecWithTags;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto.MutationType;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Mutations as HBase's client sends them, inline and by cell block, to batches of docs/jni.md. */
class MutationBatchWriterTest {
  private static final byte[] ROW = Bytes.toBytes("row");
  private static final byte[] F = Bytes.toBytes("f");
  private static final byte[] Q = Bytes.toBytes("q");
  private static final List<byte[]> FAMILIES = List.of(F, Bytes.toBytes("g"));

  private final ByteBuf ops = Unpooled.directBuffer();
  private final ByteBuf scratch = Unpooled.directBuffer();
  private final MutationBatchWriter batch = new MutationBatchWriter(ops, scratch);
  private final ByteBuf block = Unpooled.directBuffer();
  private final RequestCells cells = new RequestCells();

  @AfterEach
  void release() {
    ops.release();
    scratch.release();
    block.release();
  }

  private static List<Cell> cellsOf(Mutation mutation) {
    List<Cell> cells = new ArrayList<>();
    mutation.getFamilyCellMap().values().forEach(cells::addAll);
    return cells;
  }

  private static byte[] encode(List<Cell> cells) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    Codec.Encoder encoder = new KeyValueCodec().getEncoder(bytes);
    for (Cell cell : cells) {
      encoder.write(cell);
    }
    encoder.flush();
    return bytes.toByteArray();
  }

  private MutationProto inBlock(MutationType type, Mutation mutation) throws IOException {
    block.writeBytes(encode(cellsOf(mutation)));
    return ProtobufUtil.toMutationNoData(type, mutation);
  }

  private List<KeyValue> writtenCells() throws IOException {
    Codec.Decoder decoder =
        new KeyValueCodecWithTags()
            .getDecoder(
                new ByteArrayInputStream(
                    ByteBufUtil.getBytes(batch.cells(), batch.cellsStart(), batch.cellsLength())));
    List<KeyValue> found = new ArrayList<>();
    while (decoder.advance()) {
      found.add((KeyValue) decoder.current());
    }
    return found;
  }

  private void write(MutationProto mutation) throws IOException {
    MutationAdapter.write(mutation, cells, FAMILIES, batch);
  }

  @Test
  void blockOfPutsIsNotCopied() throws IOException {
    Put first = new Put(ROW).addColumn(F, Q, ROW).addColumn(F, ROW, Q);
    Put second = new Put(Q).addColumn(F, Q, Q);
    MutationProto one = inBlock(MutationType.PUT, first);
    MutationProto two = inBlock(MutationType.PUT, second);
    cells.reset(block);
    batch.start(42, false);
    write(one);
    write(two);
    batch.finish();
    assertSame(block, batch.cells());
    assertEquals(block.readableBytes(), batch.cellsLength());
    assertEquals(1, ops.readByte(), "version");
    assertEquals(1, ops.readByte(), "non-blocking");
    ops.skipBytes(2);
    assertEquals(2, ops.readIntLE(), "operations");
    assertEquals(42, ops.readLongLE(), "nonce group");
    for (int count : new int[] {2, 1}) {
      assertEquals(OpKind.PUT, ops.readByte());
      ops.skipBytes(3);
      assertEquals(4, ops.readIntLE(), "payload");
      assertEquals(count, ops.readIntLE(), "cells");
    }
    assertEquals(0, ops.readableBytes());
  }

  @Test
  void inlinePutGivesTheCellsThatHBaseMakes() throws IOException {
    Put put =
        new Put(ROW, 99)
            .addColumn(F, Q, ROW)
            .addColumn(F, new byte[0], 7, Q)
            .addColumn(Bytes.toBytes("g"), Q, new byte[0]);
    cells.reset(null);
    batch.start(0, true);
    write(ProtobufUtil.toMutation(MutationType.PUT, put));
    batch.finish();
    List<KeyValue> found = writtenCells();
    List<Cell> expected = cellsOf(put);
    assertEquals(expected.size(), found.size());
    for (int i = 0; i < found.size(); i++) {
      assertEquals(expected.get(i), found.get(i));
      assertArrayEquals(CellUtil.cloneValue(expected.get(i)), CellUtil.cloneValue(found.get(i)));
    }
  }

  @Test
  void wholeRowDeleteNamesEveryFamilyBetweenBlockCells() throws IOException {
    MutationProto before = inBlock(MutationType.PUT, new Put(ROW).addColumn(F, Q, ROW));
    MutationProto delete = ProtobufUtil.toMutation(MutationType.DELETE, new Delete(ROW, 55));
    MutationProto after = inBlock(MutationType.PUT, new Put(Q).addColumn(F, Q, Q));
    cells.reset(block);
    batch.start(0, true);
    write(before);
    write(delete);
    write(after);
    assertNotSame(block, batch.cells());
    List<KeyValue> found = writtenCells();
    assertEquals(4, found.size());
    for (int family = 0; family < 2; family++) {
      KeyValue marker = found.get(1 + family);
      assertEquals(Cell.Type.DeleteFamily, marker.getType());
      assertEquals(55, marker.getTimestamp());
      assertArrayEquals(FAMILIES.get(family), CellUtil.cloneFamily(marker));
    }
  }

  @Test
  void deletesKeepTheirKinds() throws IOException {
    Delete delete =
        new Delete(ROW)
            .addColumn(F, Q)
            .addColumns(F, ROW, 5)
            .addFamily(Bytes.toBytes("g"), 7)
            .addFamilyVersion(Bytes.toBytes("g"), 6);
    cells.reset(null);
    batch.start(0, true);
    write(ProtobufUtil.toMutation(MutationType.DELETE, delete));
    List<KeyValue> found = writtenCells();
    assertEquals(Cell.Type.Delete, found.get(0).getType());
    assertEquals(HConstants.LATEST_TIMESTAMP, found.get(0).getTimestamp());
    assertEquals(Cell.Type.DeleteColumn, found.get(1).getType());
    assertEquals(Cell.Type.DeleteFamily, found.get(2).getType());
    assertEquals(Cell.Type.DeleteFamilyVersion, found.get(3).getType());
  }

  @Test
  void timeToLiveBecomesATag() throws IOException {
    Put put = new Put(ROW).addColumn(F, Q, ROW);
    put.setTTL(1234);
    MutationProto proto = inBlock(MutationType.PUT, put);
    cells.reset(block);
    batch.start(0, true);
    write(proto);
    byte[] tags = PrivateCellUtil.cloneTags(writtenCells().get(0));
    assertEquals(1234, Bytes.toLong(tags, 3));
    assertEquals(8, tags[2]);
  }

  @Test
  void incrementCarriesNonceRangeAndReturnFlag() throws IOException {
    Increment increment = new Increment(ROW).addColumn(F, Q, 3).setTimeRange(10, 20);
    increment.setReturnResults(false);
    cells.reset(null);
    batch.start(0, true);
    write(ProtobufUtil.toMutation(MutationType.INCREMENT, increment, 77));
    ops.skipBytes(16);
    assertEquals(OpKind.INCREMENT, ops.readByte());
    assertEquals(0, ops.readByte(), "durability");
    assertEquals(0, ops.readShortLE(), "returns no result");
    ops.skipBytes(4);
    assertEquals(77, ops.readLongLE());
    assertEquals(10, ops.readLongLE());
    assertEquals(20, ops.readLongLE());
    assertEquals(Long.MAX_VALUE, ops.readLongLE(), "no time to live");
    assertEquals(1, ops.readIntLE());
  }

  @Test
  void timeToLiveOfAnIncrementStaysApartFromItsCells() throws IOException {
    Increment increment = new Increment(ROW).addColumn(F, Q, 3).setTTL(1234);
    MutationProto proto = inBlock(MutationType.INCREMENT, increment);
    cells.reset(block);
    batch.start(0, true);
    write(proto);
    assertSame(block, batch.cells());
    assertEquals(0, writtenCells().get(0).getTagsLength());
    ops.skipBytes(16 + 8 + 3 * Long.BYTES);
    assertEquals(1234, ops.readLongLE());
  }

  @Test
  void flagsAddUp() {
    batch.start(0, false);
    batch.withTags();
    batch.admitted();
    assertEquals(1 | 2 | 4, ops.getByte(1));
    batch.start(0, true);
    assertEquals(0, ops.getByte(1));
  }

  @Test
  void wrongMutationLeavesNoTrace() throws IOException {
    MutationProto good = inBlock(MutationType.PUT, new Put(ROW).addColumn(F, Q, ROW));
    MutationProto tooMany = good.toBuilder().setAssociatedCellCount(9).build();
    cells.reset(block);
    batch.start(0, true);
    write(good);
    MutationBatchWriter.Mark mark = batch.mark();
    byte[] before = ByteBufUtil.getBytes(ops);
    assertThrows(DoNotRetryIOException.class, () -> write(tooMany));
    batch.reset(mark);
    assertArrayEquals(before, ByteBufUtil.getBytes(ops));
    assertEquals(1, writtenCells().size());
    assertEquals(1, batch.opCount());
  }

  @Test
  void cellsOfAnotherRowAreRefused() throws IOException {
    MutationProto proto = inBlock(MutationType.PUT, new Put(ROW).addColumn(F, Q, ROW));
    MutationProto other = proto.toBuilder().setRow(ByteString.copyFrom(Q)).build();
    cells.reset(block);
    batch.start(0, true);
    assertThrows(WrongRowIOException.class, () -> write(other));
  }
}
