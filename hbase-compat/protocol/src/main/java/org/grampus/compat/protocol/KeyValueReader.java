package org.grampus.compat.protocol;

import io.netty.buffer.ByteBuf;
import java.io.IOException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.CellProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Result;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.apache.hbase.thirdparty.com.google.protobuf.UnsafeByteOperations;

/** Reads cell blocks into protobuf messages, for clients and replies that have no cell block. */
public final class KeyValueReader {
  private KeyValueReader() {}

  /** Adds a number of cells from the cursor to a result. */
  public static void addCells(CellCursor cursor, int count, Result.Builder result)
      throws IOException {
    for (int i = 0; i < count; i++) {
      if (!cursor.next()) {
        throw new IOException("cell block ends before cell " + i + " of " + count);
      }
      result.addCell(cell(cursor));
    }
  }

  /** The cursor's cell without its tags, which never leave the server. */
  public static CellProtos.Cell cell(CellCursor cursor) throws IOException {
    ByteBuf block = cursor.block();
    CellProtos.CellType type = CellProtos.CellType.forNumber(cursor.type());
    if (type == null) {
      throw new IOException("cell of unknown type " + cursor.type());
    }
    return CellProtos.Cell.newBuilder()
        .setRow(bytes(block, cursor.rowOffset(), cursor.rowLength()))
        .setFamily(bytes(block, cursor.familyOffset(), cursor.familyLength()))
        .setQualifier(bytes(block, cursor.qualifierOffset(), cursor.qualifierLength()))
        .setTimestamp(cursor.timestamp())
        .setCellType(type)
        .setValue(bytes(block, cursor.valueOffset(), cursor.valueLength()))
        .build();
  }

  private static ByteString bytes(ByteBuf block, int offset, int length) {
    byte[] copy = new byte[length];
    block.getBytes(offset, copy);
    return UnsafeByteOperations.unsafeWrap(copy);
  }
}
