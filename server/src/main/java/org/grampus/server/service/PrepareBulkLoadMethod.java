package org.grampus.server.service;

import java.io.IOException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.PrepareBulkLoadRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.PrepareBulkLoadResponse;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;
import org.grampus.server.region.OnlineRegion;
import org.grampus.server.region.RegionRegistry;
import org.grampus.server.region.StagingArea;
import org.grampus.server.rpc.Call;

/** ClientService.PrepareBulkLoad: a directory of its own for one load of a table. */
final class PrepareBulkLoadMethod extends StagingMethod {
  private final RegionRegistry regions;

  PrepareBulkLoadMethod(RegionRegistry regions, StagingArea staging) {
    super("PrepareBulkLoad", PrepareBulkLoadRequest.getDefaultInstance(), staging);
    this.regions = regions;
  }

  @Override
  protected Message answer(Call call) throws IOException {
    PrepareBulkLoadRequest request = (PrepareBulkLoadRequest) call.param();
    OnlineRegion region = regions.lookup(request.getRegion());
    String user = call.connection().profile().effectiveUser();
    String token = staging.prepare(user, region.info().getTable());
    return PrepareBulkLoadResponse.newBuilder().setBulkToken(token).build();
  }
}
