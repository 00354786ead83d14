package org.grampus.perf.fleet;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Passes what comes to many loopback addresses on to one server, which listens on its own alone.
 * Any thread.
 */
@SuppressWarnings(
    "FutureReturnValueIgnored") // failures of writes and closes arrive as channelInactive
final class Relay implements AutoCloseable {
  private static final long SHUTDOWN_SECONDS = 10;

  private final EventLoopGroup loops =
      new NioEventLoopGroup(1, new DefaultThreadFactory("fleet-relay", true));
  private final Supplier<InetSocketAddress> target;

  /**
   * A relay that does not listen yet.
   *
   * @param target the server, asked for each connection
   */
  Relay(Supplier<InetSocketAddress> target) {
    this.target = target;
  }

  /** Listens on one more address, until {@link #close}. */
  void listen(InetSocketAddress address) throws IOException, InterruptedException {
    ChannelFuture bound =
        new ServerBootstrap()
            .group(loops)
            .channel(NioServerSocketChannel.class)
            .option(ChannelOption.SO_REUSEADDR, true)
            .childOption(ChannelOption.AUTO_READ, false)
            .childHandler(
                new ChannelInitializer<SocketChannel>() {
                  @Override
                  protected void initChannel(SocketChannel front) {
                    connect(front);
                  }
                })
            .bind(address)
            .await();
    if (!bound.isSuccess()) {
      throw new IOException("cannot listen on " + address, bound.cause());
    }
  }

  private void connect(Channel front) {
    ChannelFuture connected =
        new Bootstrap()
            .group(front.eventLoop())
            .channel(NioSocketChannel.class)
            .option(ChannelOption.AUTO_READ, false)
            .handler(new Pump(front))
            .connect(target.get());
    Channel back = connected.channel();
    front.pipeline().addLast(new Pump(back));
    connected.addListener(
        done -> {
          if (done.isSuccess()) {
            front.read();
            back.read();
          } else {
            front.close();
          }
        });
  }

  /** Writes what it reads to the other side, and reads on once that is sent. */
  private static final class Pump extends ChannelInboundHandlerAdapter {
    private final Channel other;

    Pump(Channel other) {
      this.other = other;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      other
          .writeAndFlush(message)
          .addListener(
              sent -> {
                if (sent.isSuccess()) {
                  context.read();
                } else {
                  context.close();
                }
              });
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
      other.close();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
      context.close(); // a connection that breaks ends on both sides
    }
  }

  @Override
  public void close() {
    loops
        .shutdownGracefully(0, SHUTDOWN_SECONDS, TimeUnit.SECONDS)
        .awaitUninterruptibly(SHUTDOWN_SECONDS, TimeUnit.SECONDS);
  }
}
