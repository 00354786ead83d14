package org.grampus.server.service;

import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.MultiActionResultTooLarge;
import org.apache.hadoop.hbase.RegionTooBusyException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Action;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto.ColumnValue;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto.MutationType;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Result;
import org.grampus.compat.mutate.MutationOutput;
import org.grampus.server.memory.CallMemory;
import org.grampus.server.memory.MemoryUse;
import org.grampus.server.memory.Rank;
import org.grampus.server.rpc.Call;

/**
 * What the increments and appends of one Multi answer with, and room for it. The room is taken
 * before they are applied, because what was applied is answered whatever that takes. One thread at
 * a time.
 */
final class DeltaResults {
  /** Results beyond twice the cells of the increments and appends, as in the engine's batches. */
  private static final long MORE_BYTES = Results.MAX_MESSAGE_BYTES;

  private final Call call;
  private final MultiResults all;
  private MemoryUse use = MemoryUse.REPLIES;
  private long held;
  private long asked;
  private long answered;

  DeltaResults(Call call, MultiResults all) {
    this.call = call;
    this.all = all;
  }

  /** Whether a mutation answers with cells. */
  static boolean has(MutationProto mutation) {
    return mutation.getMutateType() == MutationType.INCREMENT
        || mutation.getMutateType() == MutationType.APPEND;
  }

  /** Whether an action is such a mutation. */
  static boolean has(Action action) {
    return action.hasMutation() && has(action.getMutation());
  }

  /**
   * Takes room for the result of an operation of the step that is being made.
   *
   * @param bytes of its cells in the batch
   * @throws MultiActionResultTooLarge when the steps before it have answered much, or
   *     RegionTooBusyException for clients that do not know it
   * @throws IOException when there is no memory
   */
  void require(MutationProto mutation, long bytes) throws IOException {
    require(mutation, bytes, call.clientReadsCellBlocks());
  }

  /**
   * The same for an atomic action, whose results are messages for all clients.
   *
   * @param bytes of all its cells
   */
  void requireMessages(List<Action> actions, long bytes) throws IOException {
    giveBack(); // of an action that begins again
    long rest = bytes;
    for (Action action : actions) {
      if (has(action)) {
        require(action.getMutation(), rest, false);
        rest = 0;
      }
    }
  }

  private void require(MutationProto mutation, long bytes, boolean inBlock) throws IOException {
    if (answered > MORE_BYTES + 2 * asked) {
      throw tooLarge("The results before take " + answered + " bytes; send the rest again");
    }
    asked += bytes;
    use = inBlock ? MemoryUse.REPLIES : MemoryUse.RESULTS;
    long room = bytes(mutation, bytes, inBlock);
    long more = held == 0 ? MORE_BYTES + room : room;
    CallMemory memory = call.memory();
    if (!memory.tryReserveUpTo(use, memory.held(use) + more)) {
      throw memory.refuse(use, more, "results of increments and appends");
    }
    held += more;
  }

  /**
   * What the result of an operation takes at least.
   *
   * @param bytes of its cells
   */
  static long bytes(MutationProto mutation, long bytes, boolean inBlock) {
    if (inBlock) {
      return bytes;
    }
    long cells = mutation.getAssociatedCellCount();
    for (ColumnValue values : mutation.getColumnValueList()) {
      cells += values.getQualifierValueCount();
    }
    return Results.messageBytes(cells, bytes);
  }

  /** Gives the room back: the step has its results, which count themselves, or did not run. */
  void giveBack() {
    if (held > 0) {
      call.memory().release(use, held);
      held = 0;
    }
  }

  /**
   * The result of an operation. Its cells go into the cell block where the client reads one, as in
   * HBase. The order of the block is that of the request: in a step every get comes before the
   * first increment or append.
   */
  Result result(MutationOutput output) throws IOException {
    if (!call.clientReadsCellBlocks()) {
      return message(output);
    }
    if (output.cellCount() > 0) {
      ByteBuf block = all.block();
      block.writeBytes(output.buffer(), output.cellsStart(), output.cellsLength());
      count(output);
      if (block.capacity() > Rank.SMALL_BYTES) { // applied, so it must be answered
        call.memory().forceUpTo(MemoryUse.REPLIES, block.capacity());
      }
    }
    return Results.counted(output.cellCount());
  }

  /**
   * A result with its cells inside, so without their tags. That of an atomic action is one for all
   * clients, as in HBase.
   */
  Result message(MutationOutput output) throws IOException {
    if (output.cellCount() > 0) {
      count(output);
    }
    return Results.written(output, EngineScratch.get().cursor(), call.memory());
  }

  private void count(MutationOutput output) {
    all.add(output.cellsLength());
    answered += output.cellsLength();
  }

  /** The error of an operation in the class that this client knows. */
  IOException error(IOException error) {
    return error instanceof MultiActionResultTooLarge ? tooLarge(error.getMessage()) : error;
  }

  /** The error on which clients send the rest again: at once, and as often as it takes. */
  private IOException tooLarge(String text) {
    return call.clientVersion().retriesImmediately()
        ? new MultiActionResultTooLarge(text)
        : new RegionTooBusyException(text);
  }
}
