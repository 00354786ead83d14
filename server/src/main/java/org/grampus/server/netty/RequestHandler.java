package org.grampus.server.netty;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.io.IOException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.exceptions.RequestTooBigException;
import org.apache.hadoop.hbase.ipc.EmptyServiceNameException;
import org.apache.hadoop.hbase.ipc.FatalConnectionException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.ConnectionHeader;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.RequestHeader;
import org.grampus.compat.protocol.ConnectionProfile;
import org.grampus.compat.protocol.Frames;
import org.grampus.compat.protocol.MessageShape;
import org.grampus.server.memory.MemoryUse;
import org.grampus.server.rpc.Dispatcher;
import org.grampus.server.rpc.RpcServerConfig;
import org.grampus.server.rpc.RpcService;
import org.grampus.server.rpc.ServiceRegistry;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Frames of one connection: the connection header first, then requests. Whatever goes wrong here
 * ends this connection and nothing else.
 */
@SuppressWarnings(
    "FutureReturnValueIgnored") // failures of writes and closes arrive as channelInactive
final class RequestHandler extends ChannelInboundHandlerAdapter {
  private static final Logger LOG = LoggerFactory.getLogger(RequestHandler.class);

  private static final int MAX_HEADER_HEAP_BYTES = 256 << 10;

  private final NettyConnection connection;
  private final ServiceRegistry services;
  private final Dispatcher dispatcher;
  private final RpcServerConfig config;
  private final FrameDecoder decoder;
  private ScheduledFuture<?> handshakeTimeout;
  private boolean ignoreFrame;

  RequestHandler(
      NettyConnection connection,
      ServiceRegistry services,
      Dispatcher dispatcher,
      RpcServerConfig config,
      FrameDecoder decoder) {
    this.connection = connection;
    this.services = services;
    this.dispatcher = dispatcher;
    this.config = config;
    this.decoder = decoder;
  }

  /** Closes the connection unless its header arrives in time. */
  void startHandshakeTimer() {
    handshakeTimeout =
        connection
            .loop()
            .schedule(connection::close, config.handshakeTimeoutMillis(), TimeUnit.MILLISECONDS);
  }

  void cancelHandshakeTimer() {
    if (handshakeTimeout != null) {
      handshakeTimeout.cancel(false);
      handshakeTimeout = null;
    }
  }

  /** The client has sent its first SASL token already, which is of no use any more. */
  void ignoreFirstFrame() {
    ignoreFrame = true;
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) throws IOException {
    if (message instanceof FrameDecoder.OversizedFrame oversized) {
      refuseOversized(oversized);
    } else if (message instanceof FrameDecoder.ReservedFrame frame) {
      frame(frame.bytes(), frame.reserved());
    } else {
      frame((ByteBuf) message, 0);
    }
  }

  private void frame(ByteBuf bytes, long reserved) throws IOException {
    if (connection.profile() != null) {
      dispatcher.dispatch(connection, bytes, reserved);
      return;
    }
    connection.account().release(MemoryUse.REQUESTS, connection.memoryPeer(), reserved);
    if (ignoreFrame) {
      ignoreFrame = false;
      bytes.release();
    } else {
      readConnectionHeader(bytes);
    }
  }

  private void readConnectionHeader(ByteBuf frame) throws IOException {
    ConnectionProfile profile;
    try {
      requireSmall(frame);
      profile =
          ConnectionProfile.of(
              Frames.readMessage(
                  frame, frame.readableBytes(), ConnectionHeader.getDefaultInstance()));
    } finally {
      frame.release();
    }
    if (profile.service().isEmpty()) {
      throw new EmptyServiceNameException();
    }
    RpcService service = services.find(profile.service());
    if (service == null) {
      throw new FatalConnectionException("unknown service " + profile.service());
    }
    connection.established(profile, service);
    dispatcher.connected();
    decoder.maxFrameBytes(dispatcher.maxRequestBytes());
    cancelHandshakeTimer();
    LOG.debug(
        "connection from {}, user {}, service {}",
        connection,
        profile.effectiveUser(),
        profile.service());
  }

  /** It is parsed before its sender is known, and what of it is kept stays with the connection. */
  private static void requireSmall(ByteBuf header) throws FatalConnectionException {
    long bytes =
        MessageShape.of(ConnectionHeader.getDescriptor())
            .estimate(header, header.readerIndex(), header.readableBytes(), MAX_HEADER_HEAP_BYTES);
    if (bytes > MAX_HEADER_HEAP_BYTES) {
      throw new FatalConnectionException(
          "connection header would take more than " + MAX_HEADER_HEAP_BYTES + " bytes");
    }
  }

  private void refuseOversized(FrameDecoder.OversizedFrame oversized) throws IOException {
    try {
      if (connection.profile() == null) {
        connection.close();
        return;
      }
      RequestHeader header = dispatcher.readHeader(oversized.head());
      String text =
          "RPC data length of "
              + oversized.length()
              + " received from "
              + connection.peer()
              + " is greater than max allowed "
              + dispatcher.maxRequestBytes()
              + ". Set \"hbase.ipc.max.request.size\" on server to override this limit"
              + " (not recommended)";
      LOG.warn(text);
      DoNotRetryIOException error =
          connection.profile().version().readsGetCellBlock()
              ? new RequestTooBigException(text)
              : new DoNotRetryIOException(text);
      dispatcher.refused(error);
      connection.sendAndClose(
          ConnectionReplies.callError(connection, header.getCallId(), error, text));
    } finally {
      oversized.head().release();
    }
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext ctx) {
    if (ctx.channel().isWritable()) {
      connection.resumeReading(NettyConnection.UNWRITABLE);
    } else {
      connection.stopReading(NettyConnection.UNWRITABLE);
    }
    ctx.fireChannelWritabilityChanged();
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    cancelHandshakeTimer();
    ctx.fireChannelInactive();
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    if (cause instanceof IOException) {
      LOG.debug("connection from {} ends", connection, cause);
    } else {
      LOG.error("connection from {} ends", connection, cause);
    }
    decoder.stop();
    ctx.close();
  }
}
