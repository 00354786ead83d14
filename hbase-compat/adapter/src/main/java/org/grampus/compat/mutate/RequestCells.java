package org.grampus.compat.mutate;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.apache.hbase.thirdparty.com.google.protobuf.UnsafeByteOperations;
import org.grampus.compat.protocol.CellCursor;

/**
 * A request's cell block, consumed by its mutations in request order. A position can be kept and
 * returned to. One thread.
 */
public final class RequestCells {
  private final CellCursor cursor = new CellCursor();
  private ByteBuf block = Unpooled.EMPTY_BUFFER;
  private boolean present;
  private int position;

  /** Starts on a cell block, or on none. */
  public RequestCells reset(ByteBuf cells) {
    present = cells != null;
    block = present ? cells : Unpooled.EMPTY_BUFFER;
    position = block.readerIndex();
    return this;
  }

  /** Where the next cell begins. */
  public int position() {
    return position;
  }

  /** Goes back to a position. */
  public void position(int earlier) {
    position = earlier;
  }

  /** Takes the next cell; the cursor is valid until the next use of this object. */
  CellCursor next(int index, int count) throws IOException {
    if (!present) {
      throw new DoNotRetryIOException("Cell count of " + count + " but no cellScanner");
    }
    cursor.reset(block, position);
    if (!cursor.next()) {
      throw new DoNotRetryIOException(
          "Cell count of " + count + " but at index " + index + " no cell returned");
    }
    position = cursor.end();
    return cursor;
  }

  /** Passes over cells of a mutation that is not run; stops at the end of the block. */
  public void skip(int count) throws IOException {
    cursor.reset(block, position);
    for (int i = 0; i < count && cursor.next(); i++) {
      position = cursor.end();
    }
  }

  /** The row of the next cell, without taking it. */
  ByteString peekRow() throws IOException {
    cursor.reset(block, position);
    if (!cursor.next()) {
      throw new DoNotRetryIOException("row cannot be null");
    }
    byte[] row = new byte[cursor.rowLength()];
    block.getBytes(cursor.rowOffset(), row);
    return UnsafeByteOperations.unsafeWrap(row);
  }
}
