package org.grampus.server.service;

import io.netty.buffer.ByteBuf;
import java.io.IOException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Get;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.GetRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.GetResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Result;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;
import org.grampus.compat.read.ReadFlags;
import org.grampus.server.region.OnlineRegion;
import org.grampus.server.region.RegionRegistry;
import org.grampus.server.rpc.Call;
import org.grampus.server.rpc.Handlers;
import org.grampus.server.rpc.RpcMethod;

/** ClientService.Get: one row. */
final class GetMethod implements RpcMethod {
  private final RegionRegistry regions;
  private final Operations operations;

  GetMethod(RegionRegistry regions, Operations operations) {
    this.regions = regions;
    this.operations = operations;
  }

  @Override
  public String name() {
    return "Get";
  }

  @Override
  public Message prototype() {
    return GetRequest.getDefaultInstance();
  }

  @Override
  public Handlers handlers(Call call) {
    return Handlers.bySize(call);
  }

  @Override
  public int priority(Call call) {
    return RegionPriority.of(regions, ((GetRequest) call.param()).getRegion());
  }

  @Override
  public boolean mayGiveWay(Call call) {
    return true;
  }

  @Override
  public boolean isRefusableAfterTry() {
    return true;
  }

  @Override
  public void ended() {
    EngineScratch.get().shrink();
  }

  @Override
  public boolean run(Call call, boolean mayBlock) throws IOException {
    GetRequest request = (GetRequest) call.param();
    OnlineRegion region = regions.lookup(request.getRegion());
    EngineScratch scratch = EngineScratch.get();
    ByteBuf spec = scratch.spec();
    RegionReads.write(request.getGet(), region, mayBlock, spec);
    boolean cellBlock = call.clientReadsCellBlocks() && call.clientVersion().readsGetCellBlock();
    if (cellBlock && call.clientReadsTags()) {
      ReadFlags.addTags(spec);
    }
    ByteBuf out = RowReader.newCellBuffer(call.connection().allocator(), 1);
    boolean ended = true;
    try {
      int count = RowReader.get(region, spec, out, call);
      if (count == RowReader.WOULD_BLOCK) {
        ended = false;
        return false;
      }
      Result result = result(call, request.getGet(), count, cellBlock, out, scratch);
      boolean cellsFollow = cellBlock && result.getAssociatedCellCount() > 0;
      call.reply(
          GetResponse.newBuilder().setResult(result).build(), cellsFollow ? out.retain() : null);
      return true;
    } finally {
      out.release();
      if (ended) {
        operations.got(region, call.ranNanos(), call.scannedBytes());
      }
    }
  }

  private static Result result(
      Call call, Get get, int count, boolean cellBlock, ByteBuf out, EngineScratch scratch)
      throws IOException {
    if (get.getExistenceOnly()) {
      return Results.exists(count > 0);
    }
    return cellBlock
        ? Results.counted(count)
        : Results.inline(out, out.readerIndex(), count, scratch.cursor(), call.memory());
  }
}
