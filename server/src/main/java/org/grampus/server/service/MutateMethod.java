package org.grampus.server.service;

import io.netty.buffer.ByteBuf;
import java.io.IOException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutateRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutateResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;
import org.grampus.compat.mutate.CheckAndMutateAdapter;
import org.grampus.compat.mutate.MutationAdapter;
import org.grampus.compat.mutate.MutationBatchWriter;
import org.grampus.compat.mutate.MutationOutput;
import org.grampus.compat.mutate.RequestCells;
import org.grampus.server.memory.MemoryUse;
import org.grampus.server.memory.Rank;
import org.grampus.server.region.OnlineRegion;
import org.grampus.server.region.RegionRegistry;
import org.grampus.server.rpc.Call;
import org.grampus.server.rpc.DurableReply;
import org.grampus.server.rpc.Handlers;
import org.grampus.server.rpc.RpcMethod;

/** ClientService.Mutate: one mutation, possibly under a condition. */
final class MutateMethod implements RpcMethod {
  private static final MutateResponse PROCESSED =
      MutateResponse.newBuilder().setProcessed(true).build();

  private final RegionRegistry regions;
  private final BatchRunner batches;
  private final Operations operations;

  MutateMethod(RegionRegistry regions, BatchRunner batches, Operations operations) {
    this.regions = regions;
    this.batches = batches;
    this.operations = operations;
  }

  @Override
  public String name() {
    return "Mutate";
  }

  @Override
  public Message prototype() {
    return MutateRequest.getDefaultInstance();
  }

  @Override
  public Handlers handlers(Call call) {
    return Handlers.bySize(call);
  }

  @Override
  public int priority(Call call) {
    return RegionPriority.of(regions, ((MutateRequest) call.param()).getRegion());
  }

  @Override
  public void ended() {
    EngineScratch.get().shrink();
  }

  @Override
  public boolean run(Call call, boolean mayBlock) throws IOException {
    MutateRequest request = (MutateRequest) call.param();
    OnlineRegion region = regions.lookup(request.getRegion());
    MutationBatchWriter batch = BatchRunner.start(request.getNonceGroup(), mayBlock);
    if (call.clientReadsTags()) {
      batch.withTags();
    }
    RequestCells cells = EngineScratch.get().requestCells().reset(call.cells());
    if (request.hasCondition()) {
      CheckAndMutateAdapter.write(
          request.getCondition(), request.getMutation(), cells, region.families(), batch);
    } else {
      MutationAdapter.write(request.getMutation(), cells, region.families(), batch);
    }
    requireRoom(call, request.getMutation(), batch.cellsLength());
    MutateReply reply = new MutateReply(call, region, operations);
    MutationOutput output = batches.run(region, batch, reply);
    if (output == null) {
      return false;
    }
    output.next();
    if (output.failed()) {
      boolean plain = !request.hasCondition() && !DeltaResults.has(request.getMutation());
      throw plain ? output.errorInBatch() : output.error(); // HBase runs it as a batch of one
    }
    reply.applied(!request.hasCondition() || output.matched());
    reply(call, request, output, reply);
    return true;
  }

  private static void reply(
      Call call, MutateRequest request, MutationOutput output, DurableReply reply)
      throws IOException {
    boolean returnsCells = DeltaResults.has(request.getMutation());
    if (!returnsCells && !request.hasCondition()) {
      reply.ready(PROCESSED, null);
      return;
    }
    MutateResponse.Builder response = MutateResponse.newBuilder();
    if (request.hasCondition()) {
      response.setProcessed(output.matched());
    }
    ByteBuf cells = null;
    if (returnsCells && output.matched()) {
      int count = output.cellCount();
      if (call.clientReadsCellBlocks()) {
        response.setResult(Results.counted(count));
        cells = count == 0 ? null : copy(call, output);
      } else {
        response.setResult(Results.written(output, EngineScratch.get().cursor(), call.memory()));
      }
    }
    reply.ready(response.build(), cells);
  }

  /**
   * Room for a large result, which must be answered once it is applied. One of ordinary size is
   * within what a handler has anyway.
   */
  private static void requireRoom(Call call, MutationProto mutation, long cellBytes)
      throws IOException {
    if (cellBytes <= Rank.SMALL_BYTES || !DeltaResults.has(mutation)) {
      return;
    }
    boolean inBlock = call.clientReadsCellBlocks();
    MemoryUse use = inBlock ? MemoryUse.REPLIES : MemoryUse.RESULTS;
    long bytes = DeltaResults.bytes(mutation, cellBytes, inBlock);
    if (!call.memory().tryReserveUpTo(use, bytes)) { // a second run has it already
      throw call.memory().refuse(use, bytes, "the result of an increment or append");
    }
  }

  private static ByteBuf copy(Call call, MutationOutput output) {
    ByteBuf cells =
        call.connection()
            .allocator()
            .directBuffer(RowReader.HEADROOM + output.cellsLength())
            .setIndex(RowReader.HEADROOM, RowReader.HEADROOM);
    if (cells.capacity() > Rank.SMALL_BYTES) { // it may wait for the log
      call.memory().forceUpTo(MemoryUse.REPLIES, cells.capacity());
    }
    return cells.writeBytes(output.buffer(), output.cellsStart(), output.cellsLength());
  }
}
