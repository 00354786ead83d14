package org.grampus.server.service;

import io.netty.buffer.ByteBuf;
import org.apache.hadoop.hbase.MultiActionResultTooLarge;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.RegionAction;
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
  private MultiActionResultTooLarge tooLarge;

  /** Where the cells of the region action that runs begin in the block. */
  private int regionStart;

  /** The first action of the region action that is refused for what the results before it take. */
  private int refusedFrom;

  MultiResults(Call call, long maxBytes) {
    this.call = call;
    this.maxBytes =
        call.clientReadsCellBlocks() ? maxBytes : Math.min(maxBytes, Results.MAX_MESSAGE_BYTES);
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
      block = RowReader.newCellBuffer(call.connection().allocator(), actions());
    }
    return block;
  }

  private int actions() {
    return ((MultiRequest) call.param())
        .getRegionActionList().stream().mapToInt(RegionAction::getActionCount).sum();
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
