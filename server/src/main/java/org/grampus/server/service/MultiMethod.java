package org.grampus.server.service;

import java.io.IOException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Action;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.RegionAction;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;
import org.grampus.server.region.RegionRegistry;
import org.grampus.server.rpc.Call;
import org.grampus.server.rpc.Handlers;
import org.grampus.server.rpc.RpcMethod;

/** ClientService.Multi: gets and mutations on any regions of this server. */
final class MultiMethod implements RpcMethod {
  private final RegionRegistry regions;
  private final BatchRunner batches;
  private final Operations operations;
  private final LoadStatistics loads;
  private final long maxResultBytes;

  MultiMethod(
      RegionRegistry regions,
      BatchRunner batches,
      Operations operations,
      LoadStatistics loads,
      long maxResultBytes) {
    this.regions = regions;
    this.batches = batches;
    this.operations = operations;
    this.loads = loads;
    this.maxResultBytes = maxResultBytes;
  }

  @Override
  public String name() {
    return "Multi";
  }

  @Override
  public Message prototype() {
    return MultiRequest.getDefaultInstance();
  }

  @Override
  public Handlers handlers(Call call) {
    return Handlers.bySize(call);
  }

  @Override
  public int priority(Call call) {
    MultiRequest request = (MultiRequest) call.param();
    return request.getRegionActionCount() == 0
        ? RegionPriority.NORMAL
        : RegionPriority.of(regions, request.getRegionAction(0).getRegion());
  }

  @Override
  public boolean mayGiveWay(Call call) {
    for (RegionAction region : ((MultiRequest) call.param()).getRegionActionList()) {
      for (Action action : region.getActionList()) {
        if (!action.hasGet()) {
          return false;
        }
      }
    }
    return true;
  }

  @Override
  public void ended() {
    EngineScratch.get().shrink();
  }

  @Override
  public boolean run(Call call, boolean mayBlock) throws IOException {
    MultiRun run = (MultiRun) call.progress();
    if (run == null) {
      run = new MultiRun(call, regions, batches, operations, loads, maxResultBytes);
      call.progress(run);
    }
    return run.run(mayBlock);
  }
}
