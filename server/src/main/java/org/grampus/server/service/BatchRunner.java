package org.grampus.server.service;

import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.grampus.compat.mutate.MutationBatchWriter;
import org.grampus.compat.mutate.MutationOutput;
import org.grampus.engine.CallStatus;
import org.grampus.engine.EngineException;
import org.grampus.engine.ErrorKind;
import org.grampus.server.region.OnlineRegion;
import org.grampus.server.rpc.CompletionPump;
import org.grampus.server.rpc.DurableReply;
import org.grampus.server.rpc.WriteFence;

/**
 * The way of every mutation batch: started, filled by its method, run on the engine with its
 * durability tied to the reply of its call, and its output read.
 */
final class BatchRunner {
  private static final int OP_OUTPUT_BYTES = 64;
  private static final int MAX_FIRST_OUTPUT_BYTES = 1 << 20;

  private final CompletionPump completions;
  private final WriteFence fence;

  BatchRunner(CompletionPump completions, WriteFence fence) {
    this.completions = completions;
    this.fence = fence;
  }

  /** Starts the calling thread's batch, which is valid until its next. */
  static MutationBatchWriter start(long nonceGroup, boolean mayBlock) {
    MutationBatchWriter batch = EngineScratch.get().batch();
    batch.start(nonceGroup, mayBlock);
    return batch;
  }

  /**
   * Finishes the calling thread's batch and runs it.
   *
   * @return its output, before the first operation and valid until the thread's next batch; null
   *     when nothing happened and the batch must be run where it may block, or, if the call says
   *     so, after a delay
   * @throws NotServingRegionException when the region may belong to another server by now
   */
  MutationOutput run(OnlineRegion region, MutationBatchWriter batch, DurableReply reply)
      throws NotServingRegionException {
    batch.finish();
    EngineScratch scratch = EngineScratch.get();
    ByteBuf output = scratch.result();
    return run(region, batch, output, reply)
        ? scratch.output().reset(output, 0, output.writerIndex())
        : null;
  }

  private boolean run(
      OnlineRegion region, MutationBatchWriter batch, ByteBuf output, DurableReply reply)
      throws NotServingRegionException {
    boolean admitted = reply.call().takeAdmitted();
    reply.fence(fence);
    output.ensureWritable(
        (int) Math.min(MAX_FIRST_OUTPUT_BYTES, (long) batch.opCount() * OP_OUTPUT_BYTES));
    if (admitted) {
      batch.admitted();
    }
    reply.expect();
    long token = completions.tokens().register(reply);
    boolean waits = false;
    try {
      long result = mutate(region, token, batch, output);
      int status = CallStatus.status(result);
      waits = status == CallStatus.PENDING || status == CallStatus.OVERFLOW_PENDING;
      if (status == CallStatus.WOULD_BLOCK || status == CallStatus.WAIT) {
        reply.call().admit();
        if (status == CallStatus.WAIT) {
          reply.call().delay(TimeUnit.MICROSECONDS.toNanos(CallStatus.bytes(result)));
        }
        return false;
      }
      reply.call().applied();
      takeOutput(status, CallStatus.bytes(result), token, output);
      return true;
    } finally {
      if (!waits) {
        forget(token, reply);
      }
    }
  }

  private static long mutate(
      OnlineRegion region, long token, MutationBatchWriter batch, ByteBuf output) {
    ByteBuffer ops = batch.ops().internalNioBuffer(0, batch.ops().writerIndex());
    // a view of its own: the request's buffer may be in use by other calls on other threads
    ByteBuffer cells = batch.cells().nioBuffer(batch.cellsStart(), batch.cellsLength());
    ByteBuffer out = output.internalNioBuffer(0, output.capacity());
    return region.engine().mutate(token, ops, cells, out);
  }

  private void takeOutput(int status, int bytes, long token, ByteBuf output) {
    switch (status) {
      case CallStatus.DONE, CallStatus.PENDING -> output.writerIndex(bytes);
      case CallStatus.OVERFLOW_DONE, CallStatus.OVERFLOW_PENDING -> {
        makeRoom(output, bytes, token);
        ByteBuffer out = output.internalNioBuffer(0, output.capacity());
        output.writerIndex(completions.takeOverflow(token, out));
      }
      default -> throw new EngineException(ErrorKind.BUG, "mutate returned status " + status);
    }
  }

  /** Room for an output that did not fit; without memory for it the engine need not keep it. */
  private void makeRoom(ByteBuf output, int bytes, long token) {
    try {
      output.capacity(Math.max(bytes, output.capacity()));
    } catch (OutOfMemoryError e) {
      completions.discardOverflow(token);
      throw e;
    }
  }

  private void forget(long token, DurableReply reply) {
    if (completions.tokens().take(token) != null) {
      reply.unexpect();
    }
  }
}
