package org.grampus.server.service;

import java.io.IOException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.CleanupBulkLoadRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.CleanupBulkLoadResponse;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;
import org.grampus.server.region.RegionRegistry;
import org.grampus.server.region.StagingArea;
import org.grampus.server.rpc.Call;

/** ClientService.CleanupBulkLoad: the directory of a load goes, and no other. */
final class CleanupBulkLoadMethod extends StagingMethod {
  private final RegionRegistry regions;

  CleanupBulkLoadMethod(RegionRegistry regions, StagingArea staging) {
    super("CleanupBulkLoad", CleanupBulkLoadRequest.getDefaultInstance(), staging);
    this.regions = regions;
  }

  @Override
  protected Message answer(Call call) throws IOException {
    CleanupBulkLoadRequest request = (CleanupBulkLoadRequest) call.param();
    regions.lookup(request.getRegion()); // any of the table, as in HBase; else the client moves on
    staging.cleanUp(request.getBulkToken());
    return CleanupBulkLoadResponse.getDefaultInstance();
  }
}
