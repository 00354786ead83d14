package org.grampus.server.service;

import io.netty.buffer.ByteBuf;
import java.io.IOException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Result;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.NameBytesPair;
import org.apache.hadoop.util.StringUtils;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.grampus.compat.mutate.MutationOutput;
import org.grampus.compat.protocol.CellCursor;
import org.grampus.compat.protocol.KeyValueReader;
import org.grampus.server.memory.CallMemory;
import org.grampus.server.memory.MemoryUse;

/** Result messages, with their cells inside or only counted. */
final class Results {
  /** Cells that a reply carries as messages; more of them are for the next reply. */
  static final int MAX_MESSAGE_BYTES = 2 << 20;

  /** A cell as a message with its byte strings. */
  private static final long CELL_HEAP_BYTES = 400;

  private static final Result EMPTY =
      Result.newBuilder().setAssociatedCellCount(0).setStale(false).build();
  private static final Result EXISTS =
      Result.newBuilder().setExists(true).setAssociatedCellCount(0).build();
  private static final Result EXISTS_NOT =
      Result.newBuilder().setExists(false).setAssociatedCellCount(0).build();

  private Results() {}

  static Result exists(boolean exists) {
    return exists ? EXISTS : EXISTS_NOT;
  }

  /** A result whose cells are in the reply's cell block. */
  static Result counted(int cells) {
    return cells == 0
        ? EMPTY
        : Result.newBuilder().setAssociatedCellCount(cells).setStale(false).build();
  }

  /** Takes memory for cells that become messages. */
  static void requireMessages(CallMemory memory, long cells, long bytes) throws IOException {
    memory.require(MemoryUse.RESULTS, messageBytes(cells, bytes), "cells outside a cell block");
  }

  /** The heap that cells take as messages. */
  static long messageBytes(long cells, long bytes) {
    return cells * CELL_HEAP_BYTES + 2 * bytes;
  }

  /** A result with its cells inside, read from a buffer. */
  static Result inline(ByteBuf block, int start, int cells, CellCursor cursor, CallMemory memory)
      throws IOException {
    if (cells == 0) {
      return EMPTY;
    }
    requireMessages(memory, cells, block.writerIndex() - start);
    return next(cursor.reset(block, start), cells);
  }

  /**
   * A result with the cells of a write inside. The write was applied and must be answered, so the
   * memory is counted whatever the limit.
   */
  static Result written(MutationOutput output, CellCursor cursor, CallMemory memory)
      throws IOException {
    int cells = output.cellCount();
    if (cells == 0) {
      return EMPTY;
    }
    memory.force(MemoryUse.RESULTS, messageBytes(cells, output.cellsLength()));
    return next(cursor.reset(output.buffer(), output.cellsStart()), cells);
  }

  private static Result next(CellCursor cursor, int cells) throws IOException {
    Result.Builder result = Result.newBuilder().setStale(false);
    KeyValueReader.addCells(cursor, cells, result);
    return result.build();
  }

  /** The result of the cursor's next cells. */
  static Result next(CellCursor cursor, int cells, boolean partial) throws IOException {
    Result.Builder result = Result.newBuilder().setStale(false).setPartial(partial);
    KeyValueReader.addCells(cursor, cells, result);
    return result.build();
  }

  /** An error inside a reply: class and text. */
  static NameBytesPair error(Throwable error) {
    return NameBytesPair.newBuilder()
        .setName(error.getClass().getName())
        .setValue(ByteString.copyFromUtf8(StringUtils.stringifyException(error)))
        .build();
  }
}
