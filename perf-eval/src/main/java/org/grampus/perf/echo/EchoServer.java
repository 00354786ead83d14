package org.grampus.perf.echo;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollEventLoopGroup;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.LengthFieldBasedFrameDecoder;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;

/**
 * Answers each frame with the same small frame, on as many event loops as a server of Grampus has:
 * what a call takes of the kernel and of Netty, and nothing else. It listens on loopback.
 */
@SuppressWarnings("FutureReturnValueIgnored") // failures of writes and closes end the connection
public final class EchoServer implements AutoCloseable {
  private static final String HOST = "127.0.0.1";
  private static final int FRAME_BYTES_MAX = 1 << 20;
  private static final long SHUTDOWN_SECONDS = 10;

  private final EventLoopGroup loops;
  private final Channel listener;

  private EchoServer(EventLoopGroup loops, Channel listener) {
    this.loops = loops;
    this.listener = listener;
  }

  /** Serves on the port that is its argument, until its process ends. */
  public static void main(String[] args) throws IOException, InterruptedException {
    try (EchoServer server = open(Integer.parseInt(args[0]))) {
      server.listener.closeFuture().sync();
    }
  }

  /**
   * Listens.
   *
   * @param port 0 for any
   * @throws IOException when another has the port
   */
  static EchoServer open(int port) throws IOException {
    int threads = Runtime.getRuntime().availableProcessors();
    boolean epoll = Epoll.isAvailable();
    EventLoopGroup loops =
        epoll ? new EpollEventLoopGroup(threads) : new NioEventLoopGroup(threads);
    ServerBootstrap bootstrap =
        new ServerBootstrap()
            .group(loops)
            .channel(epoll ? EpollServerSocketChannel.class : NioServerSocketChannel.class)
            .option(ChannelOption.SO_REUSEADDR, true)
            .childOption(ChannelOption.TCP_NODELAY, true)
            .childHandler(new Connections());
    ChannelFuture bound = bootstrap.bind(HOST, port).awaitUninterruptibly();
    if (!bound.isSuccess()) {
      end(loops); // their threads would keep the process
      throw new IOException("cannot listen on port " + port, bound.cause());
    }
    return new EchoServer(loops, bound.channel());
  }

  /** The port that it listens on. */
  int port() {
    return ((InetSocketAddress) listener.localAddress()).getPort();
  }

  /** Closes all connections. */
  @Override
  public void close() {
    listener.close().awaitUninterruptibly();
    end(loops);
  }

  private static void end(EventLoopGroup loops) {
    loops
        .shutdownGracefully(0, SHUTDOWN_SECONDS, TimeUnit.SECONDS)
        .awaitUninterruptibly(SHUTDOWN_SECONDS, TimeUnit.SECONDS);
  }

  private static final class Connections extends ChannelInitializer<Channel> {
    @Override
    protected void initChannel(Channel channel) {
      channel
          .pipeline()
          .addLast(
              new LengthFieldBasedFrameDecoder(FRAME_BYTES_MAX, 0, EchoFrames.LENGTH_BYTES),
              new Replies());
    }
  }

  private static final class Replies extends ChannelInboundHandlerAdapter {
    private static final ByteBuf REPLY =
        Unpooled.unreleasableBuffer(
            Unpooled.directBuffer().writeBytes(EchoFrames.frame(EchoFrames.REPLY_BYTES)));

    @Override
    public void channelRead(ChannelHandlerContext context, Object request) {
      ReferenceCountUtil.release(request);
      context.write(REPLY.duplicate());
    }

    /** Replies to requests that came together leave together. */
    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
      context.flush();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable failure) {
      context.close();
    }
  }
}
