package org.grampus.server.rpc;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufInputStream;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.hbase.CellScanner;
import org.apache.hadoop.hbase.codec.KeyValueCodec;
import org.apache.hadoop.hbase.codec.KeyValueCodecWithTags;
import org.apache.hadoop.hbase.ipc.HBaseRpcControllerImpl;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hbase.thirdparty.com.google.protobuf.BlockingService;
import org.apache.hbase.thirdparty.com.google.protobuf.Descriptors.MethodDescriptor;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;
import org.apache.hbase.thirdparty.com.google.protobuf.ServiceException;
import org.grampus.server.memory.MemoryUse;

/**
 * A protobuf blocking service as an {@link RpcService}, all its methods on the priority pool. Cells
 * cross through the HBase controller that the methods are given.
 */
public final class BlockingServiceAdapter implements RpcService {
  private static final KeyValueCodecWithTags REQUEST_CODEC = new KeyValueCodecWithTags();
  private static final KeyValueCodec REPLY_CODEC = new KeyValueCodec();

  private final String name;
  private final Map<String, RpcMethod> methods = new HashMap<>();

  /** The service under its descriptor's simple name. */
  public BlockingServiceAdapter(BlockingService service) {
    name = service.getDescriptorForType().getName();
    for (MethodDescriptor method : service.getDescriptorForType().getMethods()) {
      methods.put(method.getName(), new Method(service, method));
    }
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public boolean isSystem() {
    return true;
  }

  @Override
  public RpcMethod method(String methodName) {
    return methods.get(methodName);
  }

  private record Method(BlockingService service, MethodDescriptor descriptor) implements RpcMethod {
    @Override
    public String name() {
      return descriptor.getName();
    }

    @Override
    public Message prototype() {
      return service.getRequestPrototype(descriptor);
    }

    @Override
    public Handlers handlers(Call call) {
      return Handlers.PRIORITY;
    }

    @Override
    public boolean run(Call call, boolean mayBlock) throws IOException {
      HBaseRpcControllerImpl controller = new HBaseRpcControllerImpl(requestCells(call));
      try {
        Message reply = service.callBlockingMethod(descriptor, controller, call.param());
        call.reply(reply, replyCells(call, controller.cellScanner()));
      } catch (ServiceException e) {
        throw ProtobufUtil.getRemoteException(e);
      }
      return true;
    }

    private static CellScanner requestCells(Call call) throws IOException {
      if (call.cells() != null) {
        call.memory().require(MemoryUse.MESSAGES, call.cells().readableBytes(), "cells");
      }
      // a copy, because the methods may keep cells longer than the call
      return call.cells() == null
          ? null
          : REQUEST_CODEC.getDecoder(
              new ByteBufInputStream(Unpooled.wrappedBuffer(ByteBufUtil.getBytes(call.cells()))));
    }

    private static ByteBuf replyCells(Call call, CellScanner cells) throws IOException {
      return cells == null || !call.clientReadsCellBlocks()
          ? null
          : new HBaseCells(REPLY_CODEC).encode(call.connection().allocator(), cells);
    }
  }
}
