package org.grampus.server.netty;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.ipc.BadAuthException;
import org.apache.hadoop.hbase.ipc.FatalConnectionException;
import org.apache.hadoop.hbase.ipc.SecurityNotEnabledException;
import org.apache.hadoop.hbase.ipc.WrongVersionException;
import org.apache.hadoop.hbase.security.SaslUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegistryProtos.GetConnectionRegistryResponse;
import org.grampus.compat.protocol.Preamble;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The first six bytes of a connection. Answers the two questions that may come instead of a
 * preamble, refuses what this server does not speak, and makes way for frames once the preamble is
 * right.
 */
@SuppressWarnings(
    "FutureReturnValueIgnored") // failures of writes and closes arrive as channelInactive
final class PreambleHandler extends ChannelInboundHandlerAdapter {
  private static final Logger LOG = LoggerFactory.getLogger(PreambleHandler.class);

  /** Raw SASL status "success", which the switch to simple authentication follows. */
  private static final int SASL_SUCCESS = 0;

  /** A client asks once whether there is security; more are no client's. */
  private static final int MAX_QUESTIONS = 4;

  private final NettyConnection connection;
  private final Supplier<String> clusterId;
  private final FrameDecoder decoder;
  private final RequestHandler requests;
  private final byte[] preamble = new byte[Preamble.BYTES];
  private int received;
  private int questions;
  private boolean ended;

  PreambleHandler(
      NettyConnection connection,
      Supplier<String> clusterId,
      FrameDecoder decoder,
      RequestHandler requests) {
    this.connection = connection;
    this.clusterId = clusterId;
    this.decoder = decoder;
    this.requests = requests;
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    ByteBuf in = (ByteBuf) message;
    try {
      while (in.isReadable() && !ended) {
        int take = Math.min(in.readableBytes(), Preamble.BYTES - received);
        in.readBytes(preamble, received, take);
        received += take;
        if (received == Preamble.BYTES) {
          received = 0;
          ended = accept();
          if (ended && !connection.isClosing() && connection.isOpen()) {
            forwardFrames(ctx, in);
          }
        }
      }
    } finally {
      in.release();
    }
  }

  private void forwardFrames(ChannelHandlerContext ctx, ByteBuf rest) {
    ctx.pipeline().addLast(decoder, requests);
    if (rest.isReadable()) {
      ctx.fireChannelRead(rest.readRetainedSlice(rest.readableBytes()));
    }
    ctx.pipeline().remove(this);
  }

  /** Acts on one preamble; false when another must follow. */
  private boolean accept() {
    switch (Preamble.kind(preamble)) {
      case REGISTRY -> answerRegistry();
      case SECURITY -> {
        if (++questions > MAX_QUESTIONS) {
          connection.close();
          return true;
        }
        answerSecurity();
        return false;
      }
      case WRONG_MAGIC -> refuseMagic();
      case CONNECT -> connect();
    }
    return true;
  }

  private void answerRegistry() {
    String id = clusterId.get();
    if (id == null) {
      refuseMagic();
      return;
    }
    connection.sendAndClose(
        ConnectionReplies.message(
            connection, GetConnectionRegistryResponse.newBuilder().setClusterId(id).build()));
  }

  private void answerSecurity() {
    connection.send(
        ConnectionReplies.error(
            connection, new SecurityNotEnabledException(), "security is not enabled"));
  }

  private void refuseMagic() {
    String text = Preamble.wrongMagicText(preamble, connection.peer());
    connection.sendAndClose(
        ConnectionReplies.error(connection, new FatalConnectionException(text), text));
  }

  private void connect() {
    String text = Preamble.wrongVersionText(preamble, connection.peer());
    if (Preamble.version(preamble) != Preamble.VERSION) {
      connection.sendAndClose(
          ConnectionReplies.error(connection, new WrongVersionException(text), text));
      return;
    }
    switch (Preamble.authentication(preamble)) {
      case Preamble.SIMPLE -> {}
      case Preamble.KERBEROS, Preamble.DIGEST -> {
        ByteBuf reply = connection.allocator().directBuffer(2 * Integer.BYTES);
        connection.send(reply.writeInt(SASL_SUCCESS).writeInt(SaslUtil.SWITCH_TO_SIMPLE_AUTH));
        requests.ignoreFirstFrame();
      }
      default ->
          connection.sendAndClose(
              ConnectionReplies.error(connection, new BadAuthException(text), text));
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    requests.cancelHandshakeTimer();
    ctx.fireChannelInactive();
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    LOG.debug("connection from {} ends before its first call", connection, cause);
    ctx.close();
  }
}
