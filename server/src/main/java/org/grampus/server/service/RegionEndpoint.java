package org.grampus.server.service;

import java.io.IOException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.CoprocessorServiceRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.CoprocessorServiceResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.NameBytesPair;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.grampus.server.region.OnlineRegion;
import org.grampus.server.rpc.Call;

/** A service of every region with one method, which clients call as a coprocessor's. */
interface RegionEndpoint {
  /** The service's name. */
  String service();

  /** The method's name. */
  String method();

  /** Whether a call may run at low priority, as {@code RpcMethod.mayGiveWay} says. */
  boolean mayGiveWay();

  /**
   * Runs a call, as {@code RpcMethod.run} does.
   *
   * @param request the call's, whose region this is
   */
  boolean run(Call call, CoprocessorServiceRequest request, OnlineRegion region, boolean mayBlock)
      throws IOException;

  /** The response that carries a message of a class. */
  static CoprocessorServiceResponse response(
      CoprocessorServiceRequest request, String messageClass, ByteString message) {
    return CoprocessorServiceResponse.newBuilder()
        .setRegion(request.getRegion())
        .setValue(NameBytesPair.newBuilder().setName(messageClass).setValue(message))
        .build();
  }
}
