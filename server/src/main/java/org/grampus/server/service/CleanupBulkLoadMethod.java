package org.grampus.server.service;

import java.io.IOException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.CleanupBulkLoadRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.CleanupBulkLoadResponse;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;
import org.grampus.server.region.RegionRegistry;
import org.grampus.server.region.StagingArea;
import org.grampus.server.rpc.Call;
import org.grampus.server.rpc.Handlers;
import org.grampus.server.rpc.RpcMethod;

/** ClientService.CleanupBulkLoad: the directory of a load goes, and no other. */
final class CleanupBulkLoadMethod implements RpcMethod {
  private final RegionRegistry regions;
  private final StagingArea staging;

  CleanupBulkLoadMethod(RegionRegistry regions, StagingArea staging) {
    this.regions = regions;
    this.staging = staging;
  }

  @Override
  public String name() {
    return "CleanupBulkLoad";
  }

  @Override
  public Message prototype() {
    return CleanupBulkLoadRequest.getDefaultInstance();
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
    CleanupBulkLoadRequest request = (CleanupBulkLoadRequest) call.param();
    regions.lookup(request.getRegion()); // any of the table, as in HBase; else the client moves on
    staging.cleanUp(request.getBulkToken());
    call.reply(CleanupBulkLoadResponse.getDefaultInstance());
    return true;
  }
}
