package org.grampus.server.service;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.util.concurrent.FastThreadLocal;
import org.grampus.compat.mutate.MutationBatchWriter;
import org.grampus.compat.mutate.MutationOutput;
import org.grampus.compat.mutate.RequestCells;
import org.grampus.compat.protocol.CellCursor;
import org.grampus.engine.ScanInfo;
import org.grampus.engine.ScanLimits;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What one thread needs to talk to the engine, kept from call to call: direct buffers for requests
 * and small replies, and the writers and readers over them. Valid until the thread's call ends.
 * Between calls a buffer has {@link #KEPT_BYTES} at most: the account of memory does not see it.
 */
final class EngineScratch {
  private static final Logger LOG = LoggerFactory.getLogger(EngineScratch.class);
  private static final int FIRST_BYTES = 1024;
  private static final int KEPT_BYTES = 1 << 20;

  private static final UnpooledByteBufAllocator ALLOCATOR =
      new UnpooledByteBufAllocator(true, true); // as old as its thread, so not a leak

  private static final FastThreadLocal<EngineScratch> LOCAL =
      new FastThreadLocal<>() {
        @Override
        protected EngineScratch initialValue() {
          return new EngineScratch();
        }
      };

  private final ByteBuf spec = ALLOCATOR.directBuffer(FIRST_BYTES);
  private final ByteBuf ops = ALLOCATOR.directBuffer(FIRST_BYTES);
  private final ByteBuf cells = ALLOCATOR.directBuffer(FIRST_BYTES);
  private final ByteBuf result = ALLOCATOR.directBuffer(FIRST_BYTES);
  private final MutationBatchWriter batch = new MutationBatchWriter(ops, cells);
  private final MutationOutput output = new MutationOutput();
  private final RequestCells requestCells = new RequestCells();
  private final CellCursor cursor = new CellCursor();

  private final ScanLimits scanLimits = new ScanLimits();

  private ScanInfo scanInfo;

  private EngineScratch() {}

  /** The calling thread's. */
  static EngineScratch get() {
    return LOCAL.get();
  }

  /** An empty buffer for a read spec. */
  ByteBuf spec() {
    return emptied(spec);
  }

  /** The batch writer, to be started by the caller. */
  MutationBatchWriter batch() {
    emptied(ops);
    emptied(cells);
    return batch;
  }

  /** An empty buffer for the output of a batch. */
  ByteBuf result() {
    return emptied(result);
  }

  MutationOutput output() {
    return output;
  }

  RequestCells requestCells() {
    return requestCells;
  }

  ScanInfo scanInfo() {
    if (scanInfo == null) {
      scanInfo = new ScanInfo(); // not every thread scans
    }
    return scanInfo;
  }

  ScanLimits scanLimits() {
    return scanLimits;
  }

  CellCursor cursor() {
    return cursor;
  }

  /** Lets go what a large call has left; by its thread, at its end. */
  void shrink() {
    try {
      emptied(spec);
      emptied(ops);
      emptied(cells);
      emptied(result);
    } catch (OutOfMemoryError e) {
      LOG.warn("no direct memory for a smaller buffer; the next call tries again", e);
    }
  }

  /** Direct memory of all threads' buffers, for tests. */
  static long heldBytes() {
    return ALLOCATOR.metric().usedDirectMemory();
  }

  private static ByteBuf emptied(ByteBuf buffer) {
    buffer.clear();
    return buffer.capacity() > KEPT_BYTES ? buffer.capacity(FIRST_BYTES) : buffer;
  }
}
