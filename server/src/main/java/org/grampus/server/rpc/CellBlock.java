package org.grampus.server.rpc;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.io.IOException;
import org.grampus.compat.protocol.CellBlockCompressor;
import org.grampus.compat.protocol.CellBlockCompressor.ExpansionException;
import org.grampus.server.memory.CallMemory;
import org.grampus.server.memory.MemoryUse;

/**
 * The cells of a request, perhaps still compressed. One thread at a time; released by its owner.
 */
final class CellBlock {
  static final CellBlock NONE = new CellBlock(null, null, 0);

  /** What an event loop expands at most, of how much; the rest is for the pools. */
  private static final int EVENT_LOOP_PACKED_BYTES = 4 << 10;

  private static final int EVENT_LOOP_BYTES = 256 << 10;

  private final CellBlockCompressor compressor;
  private final int maxBytes;
  private ByteBuf packed;
  private ByteBuf cells;

  /**
   * A block that owns these bytes.
   *
   * @param compressor expands them, or null when they are cells as they are
   * @param maxBytes what they may expand to
   */
  CellBlock(ByteBuf bytes, CellBlockCompressor compressor, int maxBytes) {
    this.compressor = compressor;
    this.maxBytes = maxBytes;
    if (compressor == null) {
      cells = bytes;
    } else {
      packed = bytes;
    }
  }

  /** The cells once they are expanded, or null when there are none. */
  ByteBuf cells() {
    return cells;
  }

  /** Whether no compressed cells are left. */
  boolean isExpanded() {
    return packed == null;
  }

  /**
   * Expands the cells unless they are.
   *
   * @return false when there is too much of them for an event loop
   */
  boolean expand(ByteBufAllocator allocator, CallMemory memory, boolean mayBlock)
      throws IOException {
    if (packed == null) {
      return true;
    }
    if (!mayBlock && packed.readableBytes() > EVENT_LOOP_PACKED_BYTES) {
      return false;
    }
    try {
      cells =
          compressor.decompress(
              allocator,
              packed,
              mayBlock ? maxBytes : Math.min(maxBytes, EVENT_LOOP_BYTES),
              (from, to) -> resize(memory, from, to));
    } catch (ExpansionException e) {
      if (mayBlock || maxBytes <= EVENT_LOOP_BYTES) {
        throw e;
      }
      memory.release(MemoryUse.CELL_BLOCKS, memory.held(MemoryUse.CELL_BLOCKS));
      return false;
    }
    packed.release();
    packed = null;
    return true;
  }

  private static void resize(CallMemory memory, int from, int to) throws IOException {
    memory.require(MemoryUse.CELL_BLOCKS, to, "an expanded cell block");
    memory.release(MemoryUse.CELL_BLOCKS, from);
  }

  void release() {
    if (packed != null) {
      packed.release();
      packed = null;
    }
    if (cells != null) {
      cells.release();
      cells = null;
    }
  }
}
