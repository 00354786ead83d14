package org.grampus.server.netty;

import org.apache.hbase.thirdparty.com.google.protobuf.Message;
import org.grampus.server.rpc.Call;
import org.grampus.server.rpc.Handlers;
import org.grampus.server.rpc.RpcMethod;
import org.grampus.server.rpc.RpcService;

/** A service whose one method, under any name, runs on the event loop. */
abstract class OneMethodService implements RpcService, RpcMethod {
  private final String name;
  private final Message prototype;

  OneMethodService(String name, Message prototype) {
    this.name = name;
    this.prototype = prototype;
  }

  @Override
  public final String name() {
    return name;
  }

  @Override
  public RpcMethod method(String method) {
    return this;
  }

  @Override
  public final Message prototype() {
    return prototype;
  }

  @Override
  public final Handlers handlers(Call call) {
    return Handlers.EVENT_LOOP;
  }
}
