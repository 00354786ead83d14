package org.grampus.server.service;

import java.io.IOException;
import java.util.function.Supplier;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;
import org.grampus.server.rpc.Call;
import org.grampus.server.rpc.Handlers;
import org.grampus.server.rpc.RpcMethod;

/**
 * A method that this server does not have.
 *
 * @param name the method's name
 * @param prototype its request
 * @param error what the client is told
 */
record RefusedMethod(String name, Message prototype, Supplier<IOException> error)
    implements RpcMethod {
  @Override
  public Handlers handlers(Call call) {
    return Handlers.EVENT_LOOP;
  }

  @Override
  public boolean run(Call call, boolean mayBlock) throws IOException {
    throw error.get();
  }
}
