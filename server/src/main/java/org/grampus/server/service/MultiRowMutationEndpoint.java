package org.grampus.server.service;

import java.io.IOException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.CoprocessorServiceRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.CoprocessorServiceResponse;
import org.grampus.compat.mutate.MultiRowMutationAdapter;
import org.grampus.compat.mutate.MultiRowMutationRequest;
import org.grampus.compat.mutate.MutationBatchWriter;
import org.grampus.compat.mutate.MutationOutput;
import org.grampus.server.region.OnlineRegion;
import org.grampus.server.rpc.Call;
import org.grampus.server.rpc.DurableReply;

/**
 * The one coprocessor endpoint that HBase itself relies on: mutations of several rows of one
 * region, of which either all happen or none.
 */
final class MultiRowMutationEndpoint implements RegionEndpoint {
  private static final String RESPONSE_CLASS =
      "org.apache.hadoop.hbase.protobuf.generated.MultiRowMutationProtos$MutateRowsResponse";

  private final BatchRunner batches;

  MultiRowMutationEndpoint(BatchRunner batches) {
    this.batches = batches;
  }

  @Override
  public String service() {
    return "MultiRowMutationService";
  }

  @Override
  public String method() {
    return "MutateRows";
  }

  @Override
  public boolean mayGiveWay() {
    return false;
  }

  @Override
  public boolean run(
      Call call, CoprocessorServiceRequest request, OnlineRegion region, boolean mayBlock)
      throws IOException {
    MultiRowMutationRequest rows = MultiRowMutationRequest.parse(request.getCall().getRequest());
    if (rows.mutations().isEmpty() && rows.conditions().isEmpty()) {
      call.reply(response(request, true));
      return true;
    }
    MutationBatchWriter batch = BatchRunner.start(rows.nonceGroup(), mayBlock);
    MultiRowMutationAdapter.write(rows.mutations(), rows.conditions(), region.families(), batch);
    DurableReply reply = new DurableReply(call);
    MutationOutput output = batches.run(region, batch, reply);
    if (output == null) {
      return false;
    }
    output.next();
    if (output.failed()) {
      throw output.error();
    }
    if (output.matched()) {
      region.counters().write(rows.mutations().size());
    }
    reply.ready(response(request, output.matched()), null);
    return true;
  }

  private static CoprocessorServiceResponse response(
      CoprocessorServiceRequest request, boolean processed) {
    return RegionEndpoint.response(
        request, RESPONSE_CLASS, MultiRowMutationRequest.response(processed));
  }
}
