package org.grampus.server.service;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.hadoop.hbase.client.RowTooBigException;
import org.grampus.engine.CallStatus;
import org.grampus.engine.EngineException;
import org.grampus.engine.ErrorKind;
import org.grampus.engine.GetReply;
import org.grampus.server.memory.CallMemory;
import org.grampus.server.memory.MemoryUse;
import org.grampus.server.memory.Rank;
import org.grampus.server.region.OnlineRegion;
import org.grampus.server.rpc.Call;

/** Runs gets on the engine, the cells going straight into the buffer of the reply. */
final class RowReader {
  /** Nothing happened: run again where it may block. */
  static final int WOULD_BLOCK = -1;

  /** Room before the first cell: for the frame's head, and the header of a {@link GetReply}. */
  static final int HEADROOM = 128;

  private static final long MAX_BYTES = Integer.MAX_VALUE - HEADROOM;
  private static final int FIRST_BYTES = 4096;

  /** What of a buffer for several rows is expected for each; a pool has such buffers at hand. */
  private static final int ROW_BYTES = 2048;

  private static final int ROWS_BYTES_MAX = 32 << 10;

  private RowReader() {}

  /** A buffer for the cells of some rows, in front of which the frame's head can be put. */
  static ByteBuf newCellBuffer(ByteBufAllocator allocator, int rows) {
    long bytes = Math.max(FIRST_BYTES, Math.min((long) rows * ROW_BYTES, ROWS_BYTES_MAX));
    return allocator.directBuffer((int) bytes).setIndex(HEADROOM, HEADROOM);
  }

  /**
   * Reads one row and appends its cells at the writer index, before which there must be at least
   * eight bytes; these are the same afterwards.
   *
   * @param call its memory takes what a large row needs, and it notes what was scanned
   * @return the number of cells, or {@link #WOULD_BLOCK}
   */
  static int get(OnlineRegion region, ByteBuf spec, ByteBuf out, Call call) throws IOException {
    int cells = out.writerIndex();
    int start = cells - GetReply.HEADER_BYTES;
    long before = out.getLong(start);
    int count = readAt(region, spec, out, start, call);
    if (count != WOULD_BLOCK) {
      out.writerIndex(cells + cellBytes(out, start));
      region.counters().read(1);
    }
    out.setLong(start, before);
    return count;
  }

  private static int readAt(OnlineRegion region, ByteBuf spec, ByteBuf out, int start, Call call)
      throws IOException {
    ByteBuffer request = spec.internalNioBuffer(0, spec.writerIndex());
    while (true) {
      ByteBuffer target = out.internalNioBuffer(start, out.capacity() - start);
      long result = region.engine().get(request, target);
      switch (CallStatus.status(result)) {
        case CallStatus.DONE -> {
          call.addScannedBytes(CallStatus.scannedBytes(result));
          return out.getIntLE(start + GetReply.CELL_COUNT);
        }
        case CallStatus.WOULD_BLOCK -> {
          return WOULD_BLOCK;
        }
        case CallStatus.NEED_BYTES -> grow(out, start, CallStatus.bytes(result), call.memory());
        default ->
            throw new EngineException(
                ErrorKind.BUG, "get returned status " + CallStatus.status(result));
      }
    }
  }

  /**
   * Makes room for a row, and where there is memory for rows behind it: one that has no room is
   * read twice.
   */
  private static void grow(ByteBuf out, int start, int needed, CallMemory memory)
      throws IOException {
    long least = (long) start + needed;
    if (needed < 0 || least > MAX_BYTES) {
      throw new RowTooBigException("A row of " + Integer.toUnsignedString(needed) + " bytes");
    }
    if (least <= out.capacity()) {
      throw new EngineException(ErrorKind.BUG, "get needs " + needed + " bytes and has them");
    }
    long capacity = out.capacity();
    if (!growTo(out, Math.max(2 * capacity, least), memory)
        && !growTo(out, Math.max(capacity + capacity / 4, least), memory)
        && !growTo(out, least, memory)) {
      throw memory.refuse(MemoryUse.REPLIES, needed, "a row");
    }
  }

  private static boolean growTo(ByteBuf out, long wanted, CallMemory memory) {
    long bytes = Math.min(wanted, MAX_BYTES);
    if (bytes > Rank.SMALL_BYTES && !memory.tryReserveUpTo(MemoryUse.REPLIES, bytes)) {
      return false;
    }
    out.capacity((int) bytes);
    return true;
  }

  private static int cellBytes(ByteBuf out, int start) {
    int bytes = out.getIntLE(start + GetReply.CELL_BYTES);
    if (bytes < 0 || bytes > out.capacity() - start - GetReply.HEADER_BYTES) {
      throw new EngineException(ErrorKind.BUG, "get says that it wrote " + bytes + " bytes");
    }
    return bytes;
  }
}
