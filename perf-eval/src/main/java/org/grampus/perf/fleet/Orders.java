package org.grampus.perf.fleet;

import java.io.IOException;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.MetaTableAccessor;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.CloseRegionRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.ExecuteProceduresRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.ExecuteProceduresResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.OpenRegionRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.RemoteProcedureRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.WarmupRegionRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.WarmupRegionResponse;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;
import org.grampus.server.cluster.TransitionReporter.Origin;
import org.grampus.server.rpc.Call;
import org.grampus.server.rpc.Handlers;
import org.grampus.server.rpc.RpcMethod;
import org.grampus.server.rpc.RpcService;

/**
 * The calls of AdminService that a master makes to assign regions, for all servers of a fleet: an
 * order names its server by the start code. Any thread.
 */
final class Orders implements RpcService {
  private final Function<Long, StubServer> servers;
  private final Reports reports;
  private final Map<String, RpcMethod> methods;

  /** A master repeats a batch whose reply it did not see. */
  private final Set<Long> seen = ConcurrentHashMap.newKeySet();

  /** What is done about a call. */
  private interface Body {
    Message answer(Message request) throws IOException;
  }

  /**
   * The service.
   *
   * @param servers those that are alive, by start code; null for others
   */
  Orders(Function<Long, StubServer> servers, Reports reports) {
    this.servers = servers;
    this.reports = reports;
    methods =
        Stream.of(
                new Method(
                    "ExecuteProcedures",
                    ExecuteProceduresRequest.getDefaultInstance(),
                    request -> take((ExecuteProceduresRequest) request)),
                // Before a move; there is nothing to warm up.
                new Method(
                    "WarmupRegion",
                    WarmupRegionRequest.getDefaultInstance(),
                    request -> WarmupRegionResponse.getDefaultInstance()))
            .collect(Collectors.toMap(Method::name, Function.identity()));
  }

  @Override
  public String name() {
    return "AdminService";
  }

  @Override
  public RpcMethod method(String method) {
    return methods.get(method);
  }

  /** Takes a batch of orders, which are done later. */
  ExecuteProceduresResponse take(ExecuteProceduresRequest batch) throws IOException {
    for (OpenRegionRequest open : batch.getOpenRegionList()) {
      open(open);
    }
    for (CloseRegionRequest close : batch.getCloseRegionList()) {
      close(close);
    }
    for (RemoteProcedureRequest procedure : batch.getProcList()) {
      reports.refused(new Origin(procedure.getProcId(), procedure.getInitiatingMasterActiveTime()));
    }
    return ExecuteProceduresResponse.getDefaultInstance();
  }

  private void open(OpenRegionRequest request) throws IOException {
    StubServer server = server(request.getServerStartCode());
    for (OpenRegionRequest.RegionOpenInfo open : request.getOpenInfoList()) {
      if (seen.add(open.getOpenProcId())) {
        RegionInfo region = ProtobufUtil.toRegionInfo(open.getRegion());
        reports.opened(
            server,
            region,
            new Origin(open.getOpenProcId(), request.getInitiatingMasterActiveTime()));
      }
    }
  }

  private void close(CloseRegionRequest request) throws IOException {
    StubServer server = server(request.getServerStartCode());
    if (seen.add(request.getCloseProcId())) {
      RegionInfo region =
          MetaTableAccessor.parseRegionInfoFromRegionName(
              request.getRegion().getValue().toByteArray());
      reports.closed(
          server,
          region,
          new Origin(request.getCloseProcId(), request.getInitiatingMasterActiveTime()));
    }
  }

  private StubServer server(long startCode) throws DoNotRetryIOException {
    StubServer server = servers.apply(startCode);
    if (server == null) {
      throw new DoNotRetryIOException("no server here has the start code " + startCode);
    }
    return server;
  }

  /** A call that is answered at once. */
  private record Method(String name, Message prototype, Body body) implements RpcMethod {
    @Override
    public Handlers handlers(Call call) {
      return Handlers.PRIORITY;
    }

    @Override
    public boolean run(Call call, boolean mayBlock) throws IOException {
      call.reply(body.answer(call.param()));
      return true;
    }
  }
}
