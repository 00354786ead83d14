package org.grampus.server.service;

import java.io.IOException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.PrepareBulkLoadRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.PrepareBulkLoadResponse;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;
import org.grampus.server.region.OnlineRegion;
import org.grampus.server.region.RegionRegistry;
import org.grampus.server.region.StagingArea;
import org.grampus.server.rpc.Call;
import org.grampus.server.rpc.Handlers;
import org.grampus.server.rpc.RpcMethod;

/** ClientService.PrepareBulkLoad: a directory of its own for one load of a table. */
final class PrepareBulkLoadMethod implements RpcMethod {
  private final RegionRegistry regions;
  private final StagingArea staging;

  PrepareBulkLoadMethod(RegionRegistry regions, StagingArea staging) {
    this.regions = regions;
    this.staging = staging;
  }

  @Override
  public String name() {
    return "PrepareBulkLoad";
  }

  @Override
  public Message prototype() {
    return PrepareBulkLoadRequest.getDefaultInstance();
  }

  @Override
  public Handlers handlers(Call call) {
    return Handlers.POOL;
  }

  @Override
  public boolean run(Call call, boolean mayBlock) throws IOException {
    if (!mayBlock) {
      return false;
    }
    PrepareBulkLoadRequest request = (PrepareBulkLoadRequest) call.param();
    OnlineRegion region = regions.lookup(request.getRegion());
    String user = call.connection().profile().effectiveUser();
    String token = staging.prepare(user, region.info().getTable());
    call.reply(PrepareBulkLoadResponse.newBuilder().setBulkToken(token).build());
    return true;
  }
}
