package org.grampus.server.service;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.exceptions.UnknownProtocolException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.CoprocessorServiceRequest;
import org.grampus.server.region.RegionRegistry;
import org.grampus.server.region.StagingArea;
import org.grampus.server.rpc.CompletionPump;
import org.grampus.server.rpc.RpcMethod;
import org.grampus.server.rpc.RpcService;
import org.grampus.server.rpc.WriteFence;

/** HBase's ClientService: what applications call. */
public final class ClientService implements RpcService {
  private final Map<String, RpcMethod> methods = new HashMap<>();

  /** The service over the regions of this server. */
  public ClientService(
      RegionRegistry regions,
      ScannerRegistry scanners,
      CompletionPump completions,
      WriteFence fence,
      StagingArea staging,
      ClientServiceConfig config,
      OperationObserver observer,
      LoadStatistics loads) {
    Operations operations = new Operations(observer);
    BatchRunner batches = new BatchRunner(completions, fence);
    add(new GetMethod(regions, operations));
    add(new MutateMethod(regions, batches, operations));
    add(new MultiMethod(regions, batches, operations, loads, config.maxResultBytes()));
    add(new ScanMethod(regions, scanners, config, operations));
    add(
        new ExecServiceMethod(
            regions, List.of(new MultiRowMutationEndpoint(batches), new SplitEndpoint(config))));
    add(
        new RefusedMethod(
            "ExecRegionServerService",
            CoprocessorServiceRequest.getDefaultInstance(),
            () -> new UnknownProtocolException("No region server coprocessor services here")));
    add(new PrepareBulkLoadMethod(regions, staging));
    add(new BulkLoadMethod(regions, staging, fence, operations));
    add(new CleanupBulkLoadMethod(regions, staging));
  }

  private void add(RpcMethod method) {
    methods.put(method.name(), method);
  }

  @Override
  public String name() {
    return "ClientService";
  }

  @Override
  public RpcMethod method(String methodName) {
    return methods.get(methodName);
  }
}
