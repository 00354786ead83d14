package org.grampus.server.service;

import io.netty.buffer.ByteBuf;
import java.io.IOException;
import org.apache.hadoop.hbase.MultiActionResultTooLarge;
import org.apache.hadoop.hbase.RegionTooBusyException;
import org.grampus.server.memory.CallMemory;
import org.grampus.server.memory.MemoryUse;
import org.grampus.server.rpc.Call;

/**
 * What the results of one Multi take: the block of their cells, and the limit of their bytes,
 * beyond which actions are refused. One thread at a time; released by its owner.
 */
final class MultiResults {
  private final Call call;
  private final long maxBytes;
  private ByteBuf block;
  private long bytes;

  /**
   * Bytes of results of increments and appends, and beyond how many no more of them run. A small
   * request cannot ask for much, and the results of many small increments have their room.
   */
  private long written;

  private final long maxWritten;

  /** Whether it was asked if there is room for more of them in the step that runs; else why. */
  private boolean asked;

  private IOException full;
  private MultiActionResultTooLarge tooLarge;

  /** Where the cells of the region action that runs begin in the block. */
  private int regionStart;

  /** The first action of the region action that is refused for what the results before it take. */
  private int refusedFrom;

  MultiResults(Call call, long maxBytes) {
    this.call = call;
    this.maxBytes =
        call.clientReadsCellBlocks() ? maxBytes : Math.min(maxBytes, Results.MAX_MESSAGE_BYTES);
    this.maxWritten =
        2L * call.requestBytes()
            + (call.clientReadsTags()
                ? Math.max(maxBytes, Results.MAX_MESSAGE_BYTES)
                : Results.MAX_MESSAGE_BYTES);
  }

  /** A region action begins. */
  void startRegion() {
    regionStart = block == null ? RowReader.HEADROOM : block.writerIndex();
    refusedFrom = Integer.MAX_VALUE;
    limit(0);
  }

  /** Takes the cells of the region action that runs out of the block. */
  void forgetRegion() {
    if (block != null) {
      block.writerIndex(regionStart);
    }
  }

  /** Counts bytes of results. */
  void add(long more) {
    bytes += more;
  }

  /** Counts bytes of the result of an increment or append. */
  void addWritten(long more) {
    add(more);
    written += more;
  }

  /** A step begins, or begins again. */
  void startStep() {
    asked = false;
  }

  /**
   * Why no increment or append of the step that runs may be applied; null when they may. Asked
   * before, because what was applied is answered whatever its result takes.
   */
  IOException full() {
    if (!asked) {
      asked = true;
      full = ask();
    }
    return full;
  }

  /** A step of increments and appends begins that is not to run without room for their results. */
  void requireRoom() throws IOException {
    startStep();
    if (full() != null) {
      throw full;
    }
  }

  private IOException ask() {
    if (written > maxWritten) {
      return call.clientVersion().retriesImmediately()
          ? tooLarge()
          : new RegionTooBusyException("Results of " + written + " bytes; send the rest again");
    }
    MemoryUse use = call.clientReadsTags() ? MemoryUse.REPLIES : MemoryUse.RESULTS;
    CallMemory memory = call.memory();
    if (!memory.tryReserve(use, Results.MAX_MESSAGE_BYTES)) {
      return memory.refuse(use, Results.MAX_MESSAGE_BYTES, "results of increments and appends");
    }
    memory.release(use, Results.MAX_MESSAGE_BYTES);
    return null;
  }

  /**
   * Refuses the actions from a position on once the results are too large. One before it may not
   * have begun yet; it still runs, as in HBase.
   */
  void limit(int next) {
    if (bytes > maxBytes && call.clientVersion().retriesImmediately()) {
      refusedFrom = Math.min(refusedFrom, next);
    }
  }

  /** Whether the action at a position is answered with {@link #tooLarge}. */
  boolean refuses(int position) {
    return position >= refusedFrom;
  }

  MultiActionResultTooLarge tooLarge() {
    if (tooLarge == null) {
      tooLarge = new MultiActionResultTooLarge("Max size exceeded CellSize: " + bytes);
    }
    return tooLarge;
  }

  /** The block of cells, to be appended to. */
  ByteBuf block() {
    if (block == null) {
      block = RowReader.newCellBuffer(call.connection().allocator());
    }
    return block;
  }

  /** Hands over the block; null when there is none. */
  ByteBuf takeBlock() {
    ByteBuf taken = block;
    block = null;
    return taken;
  }

  void release() {
    if (block != null) {
      block.release();
      block = null;
    }
  }
}
