package org.grampus.server.service;

import java.io.IOException;
import org.apache.hadoop.hbase.exceptions.UnknownProtocolException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.CoprocessorServiceCall;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.CoprocessorServiceRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.CoprocessorServiceResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.NameBytesPair;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;
import org.grampus.compat.mutate.MultiRowMutationAdapter;
import org.grampus.compat.mutate.MultiRowMutationRequest;
import org.grampus.compat.mutate.MutationBatchWriter;
import org.grampus.compat.mutate.MutationOutput;
import org.grampus.server.region.OnlineRegion;
import org.grampus.server.region.RegionRegistry;
import org.grampus.server.rpc.Call;
import org.grampus.server.rpc.DurableReply;
import org.grampus.server.rpc.Handlers;
import org.grampus.server.rpc.RpcMethod;

/**
 * ClientService.ExecService: the one coprocessor endpoint that HBase itself relies on, mutations of
 * several rows of one region, of which either all happen or none.
 */
final class ExecServiceMethod implements RpcMethod {
  private static final String SERVICE = "MultiRowMutationService";
  private static final String METHOD = "MutateRows";
  private static final String RESPONSE_CLASS =
      "org.apache.hadoop.hbase.protobuf.generated.MultiRowMutationProtos$MutateRowsResponse";

  private final RegionRegistry regions;
  private final BatchRunner batches;

  ExecServiceMethod(RegionRegistry regions, BatchRunner batches) {
    this.regions = regions;
    this.batches = batches;
  }

  @Override
  public String name() {
    return "ExecService";
  }

  @Override
  public Message prototype() {
    return CoprocessorServiceRequest.getDefaultInstance();
  }

  @Override
  public Handlers handlers(Call call) {
    return Handlers.POOL;
  }

  @Override
  public int priority(Call call) {
    return RegionPriority.of(regions, ((CoprocessorServiceRequest) call.param()).getRegion());
  }

  @Override
  public boolean run(Call call, boolean mayBlock) throws IOException {
    CoprocessorServiceRequest request = (CoprocessorServiceRequest) call.param();
    CoprocessorServiceCall service = request.getCall();
    OnlineRegion region = regions.lookup(request.getRegion());
    if (!service.getServiceName().equals(SERVICE)) {
      throw new UnknownProtocolException(
          "No registered coprocessor service found for "
              + service.getServiceName()
              + " in region "
              + region.info().getRegionNameAsString());
    }
    if (!service.getMethodName().equals(METHOD)) {
      throw new UnknownProtocolException(
          "Unknown method " + service.getMethodName() + " called on service " + SERVICE);
    }
    return mutateRows(call, request, region, mayBlock);
  }

  private boolean mutateRows(
      Call call, CoprocessorServiceRequest request, OnlineRegion region, boolean mayBlock)
      throws IOException {
    MultiRowMutationRequest rows = MultiRowMutationRequest.parse(request.getCall().getRequest());
    if (rows.mutations().isEmpty()) {
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
    reply.ready(response(request, output.matched()), null);
    return true;
  }

  private static CoprocessorServiceResponse response(
      CoprocessorServiceRequest request, boolean processed) {
    return CoprocessorServiceResponse.newBuilder()
        .setRegion(request.getRegion())
        .setValue(
            NameBytesPair.newBuilder()
                .setName(RESPONSE_CLASS)
                .setValue(MultiRowMutationRequest.response(processed)))
        .build();
  }
}
