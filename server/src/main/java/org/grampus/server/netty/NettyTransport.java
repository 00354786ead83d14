package org.grampus.server.netty;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.epoll.EpollEventLoopGroup;
import io.netty.channel.epoll.EpollMode;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.grampus.server.env.Env;
import org.grampus.server.memory.MemoryPeer;
import org.grampus.server.memory.MemoryPeers;
import org.grampus.server.rpc.Dispatcher;
import org.grampus.server.rpc.RpcServerConfig;
import org.grampus.server.rpc.ServiceRegistry;

/** The listening socket and the event loops of a server: epoll where there is one, else NIO. */
@SuppressWarnings(
    "FutureReturnValueIgnored") // failures of writes and closes arrive as channelInactive
public final class NettyTransport implements AutoCloseable {
  private static final int MAX_HANDSHAKE_FRAME_BYTES = 1 << 20;
  private static final long SHUTDOWN_SECONDS = 10;

  private final RpcServerConfig config;
  private final ServiceRegistry services;
  private final Supplier<String> clusterId;
  private final Dispatcher dispatcher;
  private final MemoryPeers peers;
  private final EventLoopGroup loops;
  private final boolean epoll;
  private final ChannelGroup connections = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);
  private final PeerChecks checks = new PeerChecks();
  private final RefusedConnections refused;
  private Channel listener;

  /** A transport that is not listening yet. */
  public NettyTransport(
      RpcServerConfig config,
      ServiceRegistry services,
      Supplier<String> clusterId,
      Dispatcher dispatcher) {
    this.config = config;
    this.services = services;
    this.clusterId = clusterId;
    this.dispatcher = dispatcher;
    this.peers = new MemoryPeers(config.maxConnectionsPerAddress());
    this.refused = new RefusedConnections(config, Env::nanos);
    this.epoll = config.nativeTransport() && Epoll.isAvailable();
    DefaultThreadFactory threads = new DefaultThreadFactory("rpc-loop", true);
    this.loops =
        epoll
            ? new EpollEventLoopGroup(config.eventLoops(), threads)
            : new NioEventLoopGroup(config.eventLoops(), threads);
  }

  /** Binds and listens. */
  public void start() throws IOException {
    InetSocketAddress address = new InetSocketAddress(config.bindAddress(), config.port());
    try {
      listener = bootstrap().bind(address).sync().channel();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while binding " + address, e);
    } catch (Exception e) {
      throw new IOException("cannot listen on " + address, e); // sync() throws it undeclared
    }
  }

  /** The options of the listening socket and of the connections that it accepts. */
  ServerBootstrap bootstrap() {
    int highWater = config.writeHighWaterBytes();
    ServerBootstrap bootstrap =
        new ServerBootstrap()
            .group(loops)
            .channel(epoll ? EpollServerSocketChannel.class : NioServerSocketChannel.class)
            .option(ChannelOption.SO_BACKLOG, config.backlog())
            .option(ChannelOption.SO_REUSEADDR, true)
            .childOption(ChannelOption.TCP_NODELAY, config.tcpNoDelay())
            .childOption(ChannelOption.SO_KEEPALIVE, config.tcpKeepAlive())
            .childOption(
                ChannelOption.WRITE_BUFFER_WATER_MARK,
                new WriteBufferWaterMark(highWater / 2, highWater))
            .childHandler(
                new ChannelInitializer<Channel>() {
                  @Override
                  protected void initChannel(Channel channel) {
                    accept(channel);
                  }
                });
    if (epoll) {
      // so that what FrameReads leaves unread is reported in the loop's next turn
      bootstrap.childOption(EpollChannelOption.EPOLL_MODE, EpollMode.LEVEL_TRIGGERED);
    }
    return bootstrap;
  }

  private void accept(Channel channel) {
    InetAddress address =
        channel.remoteAddress() instanceof InetSocketAddress inet ? inet.getAddress() : null;
    boolean full = connections.size() >= config.maxConnections();
    MemoryPeer peer = full ? null : peers.enter(address);
    if (peer == null) {
      refused.add(address, full);
      channel.close();
      return;
    }
    connections.add(channel);
    channel.closeFuture().addListener(closed -> peers.leave(address));
    initialize(channel, peer, config, services, clusterId, dispatcher, checks);
  }

  /** Puts the handlers of a new connection in place. */
  static void initialize(
      Channel channel,
      MemoryPeer peer,
      RpcServerConfig config,
      ServiceRegistry services,
      Supplier<String> clusterId,
      Dispatcher dispatcher,
      PeerChecks checks) {
    NettyConnection connection =
        new NettyConnection(channel, dispatcher, peer, checks, config.replyTimeoutMillis());
    FrameDecoder decoder =
        new FrameDecoder(
            connection,
            beginning -> dispatcher.refuseIfTooLong(connection, beginning),
            Math.min(MAX_HANDSHAKE_FRAME_BYTES, config.maxRequestBytes()),
            config.frameTimeoutMillis());
    channel.config().setRecvByteBufAllocator(new FrameReads(decoder));
    RequestHandler requests = new RequestHandler(connection, services, dispatcher, config, decoder);
    channel.pipeline().addLast(new PreambleHandler(connection, clusterId, decoder, requests));
    requests.startHandshakeTimer();
  }

  /** The port that is listened on. */
  public int port() {
    return ((InetSocketAddress) listener.localAddress()).getPort();
  }

  /** Connections that are open. */
  public int connectionCount() {
    return connections.size();
  }

  /** Stops accepting and reading, for calls that still run can be answered. */
  public void stopListening() {
    if (listener != null) {
      listener.close().awaitUninterruptibly();
    }
  }

  /** Closes every connection and ends the event loops. */
  @Override
  public void close() {
    stopListening();
    connections.close().awaitUninterruptibly(SHUTDOWN_SECONDS, TimeUnit.SECONDS);
    checks.close();
    loops
        .shutdownGracefully(0, SHUTDOWN_SECONDS, TimeUnit.SECONDS)
        .awaitUninterruptibly(SHUTDOWN_SECONDS, TimeUnit.SECONDS);
  }
}
