package org.grampus.server.service;

import java.io.IOException;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;
import org.grampus.server.region.StagingArea;
import org.grampus.server.rpc.Call;
import org.grampus.server.rpc.Handlers;
import org.grampus.server.rpc.RpcMethod;

/** A call about the directory of a load: it blocks for as long as the file system takes. */
abstract class StagingMethod implements RpcMethod {
  private final String name;
  private final Message prototype;
  protected final StagingArea staging;

  StagingMethod(String name, Message prototype, StagingArea staging) {
    this.name = name;
    this.prototype = prototype;
    this.staging = staging;
  }

  /** What the call is answered once its work is done. */
  protected abstract Message answer(Call call) throws IOException;

  @Override
  public final String name() {
    return name;
  }

  @Override
  public final Message prototype() {
    return prototype;
  }

  @Override
  public final Handlers handlers(Call call) {
    return Handlers.POOL;
  }

  @Override
  public final boolean run(Call call, boolean mayBlock) throws IOException {
    if (!mayBlock) {
      return false;
    }
    call.reply(answer(call));
    return true;
  }
}
