package org.grampus.server.service;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanResponse;
import org.grampus.compat.protocol.CellCursor;

/**
 * The results of one scan call: cells in one buffer, counts and partial flags beside it. One
 * thread; released by its owner.
 */
final class ScanBuffer {
  private static final int PARTIAL_BIT = 1 << 31;
  private static final int FIRST_COUNTS = 64;
  private static final int MAX_BYTES = Integer.MAX_VALUE - RowReader.HEADROOM;

  private final ByteBuf cells;
  private int[] counts = new int[FIRST_COUNTS];
  private int resultCount;

  ScanBuffer(ByteBufAllocator allocator, int expectedBytes) {
    cells =
        allocator
            .directBuffer(RowReader.HEADROOM + expectedBytes)
            .setIndex(RowReader.HEADROOM, RowReader.HEADROOM);
  }

  ByteBuf cells() {
    return cells;
  }

  int resultCount() {
    return resultCount;
  }

  int cellBytes() {
    return cells.readableBytes();
  }

  /** Room behind the cells so far. */
  int free() {
    return cells.capacity() - cells.writerIndex();
  }

  /** The engine's view of the room behind the cells. */
  ByteBuffer target() {
    return cells.internalNioBuffer(cells.writerIndex(), free());
  }

  /**
   * Makes room for at least so many bytes more, doubling where that is not asked too much.
   *
   * @throws DoNotRetryIOException when no reply can be so large
   */
  void grow(long needed) throws DoNotRetryIOException {
    long least = cells.writerIndex() + needed;
    if (least > MAX_BYTES) {
      throw new DoNotRetryIOException(
          "A reply of "
              + least
              + " bytes is too large; scan with a batch, with partial results or with fewer"
              + " columns");
    }
    cells.capacity((int) Math.min(Math.max(cells.capacity() * 2L, least), MAX_BYTES));
  }

  /** Takes over results that the engine wrote. */
  void add(ScanInfo info) {
    cells.writerIndex(cells.writerIndex() + info.cellBytes());
    if (resultCount + info.resultCount() > counts.length) {
      counts = Arrays.copyOf(counts, Math.max(counts.length * 2, resultCount + info.resultCount()));
    }
    for (int i = 0; i < info.resultCount(); i++) {
      counts[resultCount++] = info.result(i);
    }
  }

  /** There is no more: what looked like part of a row was its end. */
  void clearLastPartial() {
    if (resultCount > 0) {
      counts[resultCount - 1] &= ~PARTIAL_BIT;
    }
  }

  /** Puts the results into a response whose cells travel in the cell block. */
  void countInto(ScanResponse.Builder response) {
    for (int i = 0; i < resultCount; i++) {
      response.addCellsPerResult(counts[i] & ~PARTIAL_BIT);
      response.addPartialFlagPerResult(isPartial(i));
    }
  }

  /** Puts the results with their cells into a response without a cell block. */
  void copyInto(ScanResponse.Builder response, CellCursor cursor) throws IOException {
    cursor.reset(cells);
    for (int i = 0; i < resultCount; i++) {
      response.addResults(Results.next(cursor, counts[i] & ~PARTIAL_BIT, isPartial(i)));
    }
  }

  private boolean isPartial(int result) {
    return (counts[result] & PARTIAL_BIT) != 0;
  }
}
