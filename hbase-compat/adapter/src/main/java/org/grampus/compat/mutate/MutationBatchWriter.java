package org.grampus.compat.mutate;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.grampus.compat.EngineBuffers;
import org.grampus.compat.protocol.CellCursor;

/**
 * Builds a mutation batch (docs/jni.md): the operations in one buffer, their cells in another. As
 * long as all cells follow each other in the request's cell block, they stay there and the batch
 * points at them; the first cell from elsewhere makes it copy. One thread; reusable.
 */
public final class MutationBatchWriter {
  private static final int VERSION = 1;
  static final int NON_BLOCKING = 1;
  static final int ADMITTED = 2;
  static final int WITH_TAGS = 4;
  private static final int FLAGS_OFFSET = 1;
  private static final int COUNT_OFFSET = 4;
  private static final int PAYLOAD_LENGTH_OFFSET = 4;
  private static final int OP_HEADER_BYTES = 8;

  private final ByteBuf ops;
  private final ByteBuf scratch;
  private ByteBuf slice = Unpooled.EMPTY_BUFFER;
  private int sliceStart;
  private int sliceEnd;
  private boolean copying;
  private int opCount;

  /** A writer over two direct buffers that it owns for its life and lets grow. */
  public MutationBatchWriter(ByteBuf ops, ByteBuf scratch) {
    this.ops = ops;
    this.scratch = scratch;
  }

  /** Starts a batch. */
  public void start(long nonceGroup, boolean mayBlock) {
    ops.clear();
    scratch.clear();
    slice = Unpooled.EMPTY_BUFFER;
    sliceStart = 0;
    sliceEnd = 0;
    copying = false;
    opCount = 0;
    ops.writeByte(VERSION);
    ops.writeByte(mayBlock ? 0 : NON_BLOCKING);
    ops.writeShortLE(0);
    ops.writeIntLE(0);
    ops.writeLongLE(nonceGroup);
  }

  /** Says that an earlier run of this batch was told to wait or to run where it may block. */
  public void admitted() {
    addFlag(ADMITTED);
  }

  /** Lets the cells that increments and appends return come with their tags. */
  public void withTags() {
    addFlag(WITH_TAGS);
  }

  private void addFlag(int flag) {
    ops.setByte(FLAGS_OFFSET, ops.getByte(FLAGS_OFFSET) | flag);
  }

  /** Finishes the batch. */
  public void finish() {
    ops.setIntLE(COUNT_OFFSET, opCount);
  }

  /** Top-level operations so far. */
  public int opCount() {
    return opCount;
  }

  /** The operations. */
  public ByteBuf ops() {
    return ops;
  }

  /** The buffer that holds the cells, which begin at {@link #cellsStart}. */
  public ByteBuf cells() {
    return copying || sliceEnd == sliceStart ? scratch : slice;
  }

  /** Index of the first cell. */
  public int cellsStart() {
    return copying || sliceEnd == sliceStart ? 0 : sliceStart;
  }

  /** Bytes of all cells. */
  public int cellsLength() {
    return copying ? scratch.writerIndex() : sliceEnd - sliceStart;
  }

  /** What to go back to when an operation turns out to be wrong half-way. */
  public record Mark(
      int ops, int scratch, int sliceStart, int sliceEnd, boolean copying, int count) {}

  /** The present state. */
  public Mark mark() {
    return new Mark(
        ops.writerIndex(), scratch.writerIndex(), sliceStart, sliceEnd, copying, opCount);
  }

  /** Forgets what was written since the mark. */
  public void reset(Mark mark) {
    ops.writerIndex(mark.ops);
    scratch.writerIndex(mark.copying ? mark.scratch : 0);
    sliceStart = mark.sliceStart;
    sliceEnd = mark.sliceEnd;
    copying = mark.copying;
    opCount = mark.count;
  }

  /** Begins an operation; returns its index for {@link #endOp}. */
  int beginOp(int kind, int durability, int flags) {
    int start = ops.writerIndex();
    ops.writeByte(kind);
    ops.writeByte(durability);
    ops.writeShortLE(flags);
    ops.writeIntLE(0);
    return start;
  }

  /** Ends an operation. */
  void endOp(int start) {
    ops.setIntLE(start + PAYLOAD_LENGTH_OFFSET, ops.writerIndex() - start - OP_HEADER_BYTES);
  }

  /** Ends an operation that is not inside another. */
  void endTopLevelOp(int start) {
    endOp(start);
    opCount++;
  }

  /** Appends bytes with their length to the operations. */
  void bytes(ByteString value) {
    EngineBuffers.bytes(ops, value);
  }

  /** Takes over the cursor's cell as it is; all such cells of a batch are of one block. */
  void addCell(CellCursor cell) {
    if (!copying && sliceEnd == sliceStart) {
      slice = cell.block();
      sliceStart = cell.start();
      sliceEnd = cell.end();
    } else if (!copying && cell.start() == sliceEnd) {
      sliceEnd = cell.end();
    } else {
      copiedCells().writeBytes(cell.block(), cell.start(), cell.end() - cell.start());
    }
  }

  /** The buffer to append a cell to that is not in the request's cell block as it must be. */
  ByteBuf copiedCells() {
    if (!copying) {
      copying = true;
      scratch.clear();
      scratch.writeBytes(slice, sliceStart, sliceEnd - sliceStart);
    }
    return scratch;
  }
}
