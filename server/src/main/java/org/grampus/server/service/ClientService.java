package org.grampus.server.service;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.exceptions.UnknownProtocolException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.BulkLoadHFileRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.CleanupBulkLoadRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.CoprocessorServiceRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.PrepareBulkLoadRequest;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;
import org.grampus.server.region.RegionRegistry;
import org.grampus.server.rpc.CompletionPump;
import org.grampus.server.rpc.RpcMethod;
import org.grampus.server.rpc.RpcService;
import org.grampus.server.rpc.WriteFence;

/** HBase's ClientService: what applications call. */
public final class ClientService implements RpcService {
  private static final String NO_BULK_LOAD =
      "Bulk loads are not supported by this server; write the cells with a client instead";

  private final Map<String, RpcMethod> methods = new HashMap<>();

  /** The service over the regions of this server. */
  public ClientService(
      RegionRegistry regions,
      ScannerRegistry scanners,
      CompletionPump completions,
      WriteFence fence,
      ClientServiceConfig config) {
    BatchRunner batches = new BatchRunner(completions, fence);
    add(new GetMethod(regions));
    add(new MutateMethod(regions, batches));
    add(new MultiMethod(regions, batches, config.maxResultBytes()));
    add(new ScanMethod(regions, scanners, config));
    add(
        new ExecServiceMethod(
            regions, List.of(new MultiRowMutationEndpoint(batches), new SplitEndpoint(config))));
    add(
        new RefusedMethod(
            "ExecRegionServerService",
            CoprocessorServiceRequest.getDefaultInstance(),
            () -> new UnknownProtocolException("No region server coprocessor services here")));
    addRefusedBulkLoad("BulkLoadHFile", BulkLoadHFileRequest.getDefaultInstance());
    addRefusedBulkLoad("PrepareBulkLoad", PrepareBulkLoadRequest.getDefaultInstance());
    addRefusedBulkLoad("CleanupBulkLoad", CleanupBulkLoadRequest.getDefaultInstance());
  }

  private void addRefusedBulkLoad(String name, Message prototype) {
    add(new RefusedMethod(name, prototype, () -> new DoNotRetryIOException(NO_BULK_LOAD)));
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
