package org.grampus.server.service;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.exceptions.UnknownProtocolException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.CoprocessorServiceCall;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.CoprocessorServiceRequest;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;
import org.grampus.server.region.OnlineRegion;
import org.grampus.server.region.RegionRegistry;
import org.grampus.server.rpc.Call;
import org.grampus.server.rpc.Handlers;
import org.grampus.server.rpc.RpcMethod;

/** ClientService.ExecService: the coprocessor services that every region here has. */
final class ExecServiceMethod implements RpcMethod {
  private final RegionRegistry regions;
  private final Map<String, RegionEndpoint> endpoints;

  ExecServiceMethod(RegionRegistry regions, List<RegionEndpoint> endpoints) {
    this.regions = regions;
    this.endpoints =
        endpoints.stream()
            .collect(Collectors.toUnmodifiableMap(RegionEndpoint::service, Function.identity()));
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
  public boolean mayGiveWay(Call call) {
    RegionEndpoint endpoint =
        endpoints.get(((CoprocessorServiceRequest) call.param()).getCall().getServiceName());
    return endpoint != null && endpoint.mayGiveWay();
  }

  @Override
  public void ended() {
    EngineScratch.get().shrink();
  }

  @Override
  public boolean run(Call call, boolean mayBlock) throws IOException {
    CoprocessorServiceRequest request = (CoprocessorServiceRequest) call.param();
    CoprocessorServiceCall service = request.getCall();
    OnlineRegion region = regions.lookup(request.getRegion());
    RegionEndpoint endpoint = endpoints.get(service.getServiceName());
    if (endpoint == null) {
      throw new UnknownProtocolException(
          "No registered coprocessor service found for "
              + service.getServiceName()
              + " in region "
              + region.info().getRegionNameAsString());
    }
    if (!service.getMethodName().equals(endpoint.method())) {
      throw new UnknownProtocolException(
          "Unknown method " + service.getMethodName() + " called on service " + endpoint.service());
    }
    return endpoint.run(call, request, region, mayBlock);
  }
}
