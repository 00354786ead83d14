package org.grampus.server.service;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.apache.hadoop.hbase.CallQueueTooBigException;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.client.RowTooBigException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanResponse;
import org.grampus.compat.protocol.CellCursor;
import org.grampus.engine.ScanInfo;
import org.grampus.server.memory.CallMemory;
import org.grampus.server.memory.MemoryUse;
import org.grampus.server.memory.Rank;

/**
 * The results of one scan call: cells in one buffer, counts and partial flags beside it. One
 * thread; released by its owner.
 */
final class ScanBuffer {
  private static final int FIRST_COUNTS = 64;
  private static final long MAX_BYTES = Integer.MAX_VALUE - RowReader.HEADROOM;

  /** A buffer of this size needs no reservation: a thread has one at a time. */
  static final int FIRST_BYTES = Rank.SMALL_BYTES;

  private final CallMemory memory;
  private final ByteBuf cells;
  private int[] counts = new int[FIRST_COUNTS];
  private int resultCount;

  /**
   * Allocates {@code expectedBytes}, or {@link #FIRST_BYTES} where the memory account refuses them.
   *
   * @param isGuess whether the expectation comes from other scans of the region: it is reserved at
   *     {@link Rank#OPTIONAL} then
   */
  ScanBuffer(ByteBufAllocator allocator, int expectedBytes, boolean isGuess, CallMemory memory) {
    this.memory = memory;
    int first = RowReader.HEADROOM + expectedBytes;
    if (expectedBytes > FIRST_BYTES && !reserves(first, isGuess)) {
      first = RowReader.HEADROOM + FIRST_BYTES; // the expectation may be wrong
    }
    cells = allocator.directBuffer(first).setIndex(RowReader.HEADROOM, RowReader.HEADROOM);
  }

  private boolean reserves(int bytes, boolean isGuess) {
    return isGuess
        ? memory.tryReserve(MemoryUse.REPLIES, bytes, Rank.OPTIONAL)
        : memory.tryReserve(MemoryUse.REPLIES, bytes);
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
   * Makes room for at least this number of bytes more. What the engine asks for is often only the
   * next part of a row, so the buffer doubles, or where there is not so much grows by a quarter: a
   * row is copied a bounded number of times, however large it is.
   *
   * @param needed what the next result takes at least
   * @return false when there is no memory, but results that can be sent as they are
   * @throws RowTooBigException when the result exceeds the largest reservation
   * @throws DoNotRetryIOException when it exceeds 2 GiB
   * @throws CallQueueTooBigException when there is no memory now, and nothing that can be sent
   */
  boolean grow(long needed) throws IOException {
    long most = Math.min(memory.most(MemoryUse.REPLIES), MAX_BYTES);
    if (RowReader.HEADROOM + needed > most) {
      throw refuse(
          RowReader.HEADROOM
              + needed); // now, and not when it is the first of a reply: the scan ends anyway
    }
    long least = cells.writerIndex() + needed;
    long capacity = cells.capacity();
    if (least <= most
        && (growTo(Math.min(Math.max(2 * capacity, least), most))
            || growTo(Math.min(Math.max(capacity + capacity / 4, least), most)))) {
      return true;
    }
    if (endsWhole()) {
      return false;
    }
    throw refuse(least);
  }

  private IOException refuse(long bytes) {
    return bytes > MAX_BYTES
        ? new DoNotRetryIOException(
            "A reply of "
                + bytes
                + " bytes is too large; scan with a batch, with partial results or with fewer"
                + " columns")
        : memory.refuse(MemoryUse.REPLIES, bytes, "a row");
  }

  private boolean growTo(long bytes) {
    if (!memory.tryReserveUpTo(MemoryUse.REPLIES, bytes)) {
      return false;
    }
    cells.capacity((int) bytes);
    return true;
  }

  private boolean endsWhole() {
    return resultCount > 0 && !isPartial(resultCount - 1);
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
      counts[resultCount - 1] &= ~ScanInfo.PARTIAL_BIT;
    }
  }

  /** Puts the results into a response whose cells travel in the cell block. */
  void countInto(ScanResponse.Builder response) {
    for (int i = 0; i < resultCount; i++) {
      response.addCellsPerResult(counts[i] & ~ScanInfo.PARTIAL_BIT);
      response.addPartialFlagPerResult(isPartial(i));
    }
  }

  /** Puts the results with their cells into a response without a cell block. */
  void copyInto(ScanResponse.Builder response, CellCursor cursor) throws IOException {
    long cellCount = 0;
    for (int i = 0; i < resultCount; i++) {
      cellCount += counts[i] & ~ScanInfo.PARTIAL_BIT;
    }
    Results.requireMessages(memory, cellCount, cellBytes());
    cursor.reset(cells);
    for (int i = 0; i < resultCount; i++) {
      response.addResults(Results.next(cursor, counts[i] & ~ScanInfo.PARTIAL_BIT, isPartial(i)));
    }
  }

  private boolean isPartial(int result) {
    return (counts[result] & ScanInfo.PARTIAL_BIT) != 0;
  }
}
