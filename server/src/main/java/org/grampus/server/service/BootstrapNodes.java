package org.grampus.server.service;

import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.BootstrapNodeProtos.BootstrapNodeService;
import org.apache.hadoop.hbase.shaded.protobuf.generated.BootstrapNodeProtos.GetAllBootstrapNodesRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.BootstrapNodeProtos.GetAllBootstrapNodesResponse;
import org.apache.hbase.thirdparty.com.google.protobuf.RpcController;

/** HBase's BootstrapNodeService: what servers ask each other to know where clients may begin. */
public final class BootstrapNodes implements BootstrapNodeService.BlockingInterface {
  private final ClusterView cluster;

  /** The service over what this server knows. */
  public BootstrapNodes(ClusterView cluster) {
    this.cluster = cluster;
  }

  @Override
  public GetAllBootstrapNodesResponse getAllBootstrapNodes(
      RpcController controller, GetAllBootstrapNodesRequest request) {
    GetAllBootstrapNodesResponse.Builder response = GetAllBootstrapNodesResponse.newBuilder();
    cluster
        .bootstrapNodes(Integer.MAX_VALUE)
        .forEach(node -> response.addNode(ProtobufUtil.toServerName(node)));
    return response.build();
  }
}
