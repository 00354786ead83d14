package org.grampus.server.service;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionLocation;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegistryProtos.GetActiveMasterRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegistryProtos.GetActiveMasterResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegistryProtos.GetBootstrapNodesRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegistryProtos.GetBootstrapNodesResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegistryProtos.GetClusterIdRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegistryProtos.GetClusterIdResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegistryProtos.GetMastersRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegistryProtos.GetMastersResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegistryProtos.GetMastersResponseEntry;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegistryProtos.GetMetaRegionLocationsRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegistryProtos.GetMetaRegionLocationsResponse;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;
import org.grampus.server.rpc.Call;
import org.grampus.server.rpc.Handlers;
import org.grampus.server.rpc.RpcMethod;
import org.grampus.server.rpc.RpcService;

/** HBase's ClientMetaService, the registry of clients that do not ask ZooKeeper. */
@SuppressWarnings("deprecation") // GetMasters, which clients of 2.3 and 2.4 call
public final class ClientMetaService implements RpcService {
  private static final int BOOTSTRAP_NODES_MAX = 10;

  private final Map<String, RpcMethod> methods = new HashMap<>();

  /** The service over what this server knows. */
  public ClientMetaService(ClusterView cluster) {
    add("GetClusterId", GetClusterIdRequest.getDefaultInstance(), () -> clusterId(cluster));
    add("GetActiveMaster", GetActiveMasterRequest.getDefaultInstance(), () -> master(cluster));
    add("GetMasters", GetMastersRequest.getDefaultInstance(), () -> masters(cluster));
    add(
        "GetMetaRegionLocations",
        GetMetaRegionLocationsRequest.getDefaultInstance(),
        () -> metaLocations(cluster));
    add(
        "GetBootstrapNodes",
        GetBootstrapNodesRequest.getDefaultInstance(),
        () -> bootstrapNodes(cluster));
  }

  private void add(String name, Message prototype, Answer answer) {
    methods.put(name, new Method(name, prototype, answer));
  }

  @Override
  public String name() {
    return "ClientMetaService";
  }

  @Override
  public boolean isSystem() {
    return true;
  }

  @Override
  public RpcMethod method(String methodName) {
    return methods.get(methodName);
  }

  private static Message clusterId(ClusterView cluster) {
    GetClusterIdResponse.Builder response = GetClusterIdResponse.newBuilder();
    String id = cluster.clusterId();
    if (id != null) {
      response.setClusterId(id);
    }
    return response.build();
  }

  private static Message master(ClusterView cluster) {
    GetActiveMasterResponse.Builder response = GetActiveMasterResponse.newBuilder();
    cluster
        .activeMaster()
        .ifPresent(master -> response.setServerName(ProtobufUtil.toServerName(master)));
    return response.build();
  }

  private static Message masters(ClusterView cluster) {
    GetMastersResponse.Builder response = GetMastersResponse.newBuilder();
    cluster.activeMaster().ifPresent(master -> response.addMasterServers(entry(master, true)));
    cluster.backupMasters().forEach(master -> response.addMasterServers(entry(master, false)));
    return response.build();
  }

  private static GetMastersResponseEntry entry(ServerName master, boolean active) {
    return GetMastersResponseEntry.newBuilder()
        .setServerName(ProtobufUtil.toServerName(master))
        .setIsActive(active)
        .build();
  }

  private static Message metaLocations(ClusterView cluster) throws IOException {
    GetMetaRegionLocationsResponse.Builder response = GetMetaRegionLocationsResponse.newBuilder();
    for (HRegionLocation location : cluster.metaRegionLocations()) {
      response.addMetaLocations(
          RegionLocation.newBuilder()
              .setRegionInfo(ProtobufUtil.toRegionInfo(location.getRegion()))
              .setServerName(ProtobufUtil.toServerName(location.getServerName()))
              .setSeqNum(location.getSeqNum()));
    }
    return response.build();
  }

  private static Message bootstrapNodes(ClusterView cluster) {
    GetBootstrapNodesResponse.Builder response = GetBootstrapNodesResponse.newBuilder();
    cluster
        .bootstrapNodes(BOOTSTRAP_NODES_MAX)
        .forEach(node -> response.addServerName(ProtobufUtil.toServerName(node)));
    return response.build();
  }

  /** Makes one reply. */
  private interface Answer {
    Message get() throws IOException;
  }

  private record Method(String name, Message prototype, Answer answer) implements RpcMethod {
    @Override
    public Handlers handlers(Call call) {
      return Handlers.PRIORITY;
    }

    @Override
    public boolean run(Call call, boolean mayBlock) throws IOException {
      call.reply(answer.get());
      return true;
    }
  }
}
