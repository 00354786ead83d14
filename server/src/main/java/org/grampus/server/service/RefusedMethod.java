package org.grampus.server.service;

import java.io.IOException;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;
import org.grampus.server.rpc.Call;
import org.grampus.server.rpc.Lane;
import org.grampus.server.rpc.RpcMethod;

/**
 * A method that this server does not have.
 *
 * @param name the method's name
 * @param prototype its request
 * @param reason what the client is told
 */
record RefusedMethod(String name, Message prototype, String reason) implements RpcMethod {
  @Override
  public Lane lane(Call call) {
    return Lane.EVENT_LOOP;
  }

  @Override
  public boolean run(Call call, boolean mayBlock) throws IOException {
    throw new DoNotRetryIOException(reason);
  }
}
