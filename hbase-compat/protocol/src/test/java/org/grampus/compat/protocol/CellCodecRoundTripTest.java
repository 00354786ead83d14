package org.grampus.compat.protocol;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellBuilderType;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.ExtendedCellBuilderFactory;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.Tag;
import org.apache.hadoop.hbase.codec.Codec;
import org.apache.hadoop.hbase.codec.KeyValueCodec;
import org.apache.hadoop.hbase.codec.KeyValueCodecWithTags;
import org.apache.hadoop.hbase.ipc.UnsupportedCellCodecException;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.apache.hbase.thirdparty.com.google.protobuf.UnsafeByteOperations;
import org.junit.jupiter.api.Test;

/** Our walkers, readers and writers against HBase's own codecs. */
class CellCodecRoundTripTest {
  private final Random random = new Random(20240611);

  private static byte[] encode(Codec codec, List<KeyValue> cells) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    Codec.Encoder encoder = codec.getEncoder(bytes);
    for (KeyValue cell : cells) {
      encoder.write(cell);
    }
    encoder.flush();
    return bytes.toByteArray();
  }

  private static ByteString wrap(byte[] bytes) {
    return UnsafeByteOperations.unsafeWrap(bytes);
  }

  private static byte[] copy(CellCursor cursor, int offset, int length) {
    return ByteBufUtil.getBytes(cursor.block(), offset, length);
  }

  private static void assertSame(KeyValue expected, CellCursor cursor) {
    assertArrayEquals(
        CellUtil.cloneRow(expected), copy(cursor, cursor.rowOffset(), cursor.rowLength()));
    assertArrayEquals(
        CellUtil.cloneFamily(expected), copy(cursor, cursor.familyOffset(), cursor.familyLength()));
    assertArrayEquals(
        CellUtil.cloneQualifier(expected),
        copy(cursor, cursor.qualifierOffset(), cursor.qualifierLength()));
    assertArrayEquals(
        CellUtil.cloneValue(expected), copy(cursor, cursor.valueOffset(), cursor.valueLength()));
    assertEquals(expected.getTimestamp(), cursor.timestamp());
    assertEquals(expected.getTypeByte(), (byte) cursor.type());
  }

  @Test
  void cursorReadsWhatKeyValueCodecWrites() throws IOException {
    List<KeyValue> cells = Cells.random(random, 200, false);
    CellCursor cursor =
        new CellCursor().reset(Unpooled.wrappedBuffer(encode(new KeyValueCodec(), cells)));
    for (KeyValue cell : cells) {
      assertTrue(cursor.next());
      assertSame(cell, cursor);
      assertEquals(0, cursor.tagsLength());
    }
    assertFalse(cursor.next());
  }

  @Test
  void cursorReadsTags() throws IOException {
    List<KeyValue> cells = Cells.random(random, 200, true);
    CellCursor cursor =
        new CellCursor().reset(Unpooled.wrappedBuffer(encode(new KeyValueCodecWithTags(), cells)));
    for (KeyValue cell : cells) {
      assertTrue(cursor.next());
      assertSame(cell, cursor);
      assertArrayEquals(
          PrivateCellUtil.cloneTags(cell), copy(cursor, cursor.tagsOffset(), cursor.tagsLength()));
    }
    assertFalse(cursor.next());
  }

  @Test
  void writerWritesWhatKeyValueCodecWithTagsWrites() throws IOException {
    List<KeyValue> cells = Cells.random(random, 200, true);
    ByteBuf out = Unpooled.directBuffer();
    for (KeyValue cell : cells) {
      KeyValueWriter.write(
          out,
          wrap(CellUtil.cloneRow(cell)),
          wrap(CellUtil.cloneFamily(cell)),
          wrap(CellUtil.cloneQualifier(cell)),
          cell.getTimestamp(),
          cell.getTypeByte(),
          wrap(CellUtil.cloneValue(cell)),
          wrap(PrivateCellUtil.cloneTags(cell)),
          KeyValueWriter.NO_TTL);
    }
    assertArrayEquals(encode(new KeyValueCodecWithTags(), cells), ByteBufUtil.getBytes(out));
    out.release();
  }

  @Test
  void timeToLiveReplacesTheOneThatIsThere() throws IOException {
    List<KeyValue> cells = Cells.random(random, 200, true);
    CellCursor cursor =
        new CellCursor().reset(Unpooled.wrappedBuffer(encode(new KeyValueCodecWithTags(), cells)));
    ByteBuf out = Unpooled.directBuffer();
    while (cursor.next()) {
      KeyValueWriter.writeWithTtl(out, cursor, 4711);
    }
    Codec.Decoder decoder =
        new KeyValueCodecWithTags().getDecoder(new ByteArrayInputStream(ByteBufUtil.getBytes(out)));
    out.release();
    for (KeyValue cell : cells) {
      assertTrue(decoder.advance());
      List<Tag> kept = PrivateCellUtil.getTags(cell);
      kept.removeIf(tag -> tag.getType() == KeyValueLayout.TTL_TAG);
      List<Tag> found = PrivateCellUtil.getTags(decoder.current());
      assertEquals(kept.size() + 1, found.size());
      Tag ttl = found.get(found.size() - 1);
      assertEquals(KeyValueLayout.TTL_TAG, ttl.getType());
      assertEquals(4711, Bytes.toLong(Tag.cloneValue(ttl)));
      assertTrue(CellUtil.equals(cell, decoder.current()));
    }
    assertFalse(decoder.advance());
  }

  @Test
  void readerMakesTheProtobufCellsThatHBaseMakes() throws IOException {
    List<KeyValue> cells = Cells.random(random, 50, false);
    CellCursor cursor =
        new CellCursor().reset(Unpooled.wrappedBuffer(encode(new KeyValueCodec(), cells)));
    for (KeyValue cell : cells) {
      assertTrue(cursor.next());
      Cell read =
          ProtobufUtil.toCell(
              ExtendedCellBuilderFactory.create(CellBuilderType.SHALLOW_COPY),
              KeyValueReader.cell(cursor),
              false);
      assertTrue(CellUtil.equals(cell, read));
      assertTrue(CellUtil.matchingValue(cell, read));
    }
  }

  @Test
  void damagedBlocksAreRefusedAndNeverReadOutside() throws IOException {
    byte[] block = encode(new KeyValueCodecWithTags(), Cells.random(random, 5, true));
    int refused = 0;
    for (int round = 0; round < 20_000; round++) {
      byte[] damaged = block.clone();
      for (int i = random.nextInt(3); i >= 0; i--) {
        damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
      }
      ByteBuf cells = Unpooled.wrappedBuffer(damaged, 0, random.nextInt(damaged.length) + 1);
      CellCursor cursor = new CellCursor().reset(cells);
      try {
        while (cursor.next()) {
          touchEverything(cursor, cells);
        }
      } catch (IOException e) {
        refused++;
      }
    }
    assertTrue(refused > 1000, "only " + refused + " were refused");
  }

  private static void touchEverything(CellCursor cursor, ByteBuf cells) {
    assertTrue(cursor.end() <= cells.writerIndex());
    copy(cursor, cursor.rowOffset(), cursor.rowLength());
    copy(cursor, cursor.familyOffset(), cursor.familyLength());
    copy(cursor, cursor.qualifierOffset(), cursor.qualifierLength());
    copy(cursor, cursor.valueOffset(), cursor.valueLength());
    if (cursor.tagsLength() > 0) {
      copy(cursor, cursor.tagsOffset(), cursor.tagsLength());
      assertTrue(cursor.tagsOffset() + cursor.tagsLength() <= cursor.end());
    }
    assertTrue(cursor.valueOffset() + cursor.valueLength() <= cursor.end());
  }

  @Test
  void unknownCodecsAreRefused() throws IOException {
    assertEquals(CellCodec.NONE, CellCodec.named(""));
    assertEquals(CellCodec.KEY_VALUE, CellCodec.named(KeyValueCodec.class.getName()));
    assertEquals(
        CellCodec.KEY_VALUE_WITH_TAGS, CellCodec.named(KeyValueCodecWithTags.class.getName()));
    assertThrows(UnsupportedCellCodecException.class, () -> CellCodec.named("java.lang.String"));
  }
}
