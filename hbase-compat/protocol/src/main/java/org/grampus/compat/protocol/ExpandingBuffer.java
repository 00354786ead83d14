package org.grampus.compat.protocol;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.io.IOException;

/**
 * A direct buffer that grows by doubling up to a limit, each step asked for before it is taken. One
 * thread; released by its owner unless {@link #take} has passed it on.
 */
final class ExpandingBuffer implements AutoCloseable {
  private static final int FIRST_BYTES = 4096;

  private final ByteBuf out;
  private final int maxBytes;
  private final CellBlockCompressor.Growth growth;

  ExpandingBuffer(ByteBufAllocator allocator, int maxBytes, CellBlockCompressor.Growth growth)
      throws IOException {
    int first = Math.min(FIRST_BYTES, maxBytes);
    growth.resize(0, first);
    this.out = allocator.directBuffer(first, maxBytes);
    this.maxBytes = maxBytes;
    this.growth = growth;
  }

  /** The buffer; its writable bytes are what was asked for and not used. */
  ByteBuf buffer() {
    return out;
  }

  /** Whether no byte more may be written. */
  boolean isFull() {
    return out.writerIndex() == maxBytes;
  }

  /** Makes room for further bytes. */
  void ensure(int bytes) throws IOException {
    long needed = (long) out.writerIndex() + bytes;
    if (needed > maxBytes) {
      throw new CellBlockCompressor.ExpansionException(maxBytes);
    }
    int capacity = out.capacity();
    if (needed > capacity) {
      int target = (int) Math.min(maxBytes, Math.max(needed, 2L * capacity));
      growth.resize(capacity, target);
      out.capacity(target);
    }
  }

  /** The buffer for a new owner. */
  ByteBuf take() {
    return out.retain();
  }

  @Override
  public void close() {
    out.release();
  }
}
