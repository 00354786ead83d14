package org.grampus.server.netty;

import java.io.IOException;
import java.util.List;
import java.util.function.Supplier;
import org.grampus.server.env.Env;
import org.grampus.server.rpc.CallObserver;
import org.grampus.server.rpc.Dispatcher;
import org.grampus.server.rpc.RpcServerConfig;
import org.grampus.server.rpc.ServiceRegistry;

/** An HBase RPC server: a port, its services, and the pools that run calls. Any thread. */
public final class RpcServer implements AutoCloseable {
  private final Dispatcher dispatcher;
  private final NettyTransport transport;

  /** A server that does not know its cluster's id, which clients take for an older server. */
  public RpcServer(RpcServerConfig config, ServiceRegistry services) {
    this(config, services, () -> null, List.of());
  }

  /**
   * A server that is not listening yet.
   *
   * @param clusterId the cluster's id, or null while it is not known; asked on event loops
   */
  public RpcServer(RpcServerConfig config, ServiceRegistry services, Supplier<String> clusterId) {
    this(config, services, clusterId, List.of());
  }

  /**
   * A server that is not listening yet.
   *
   * @param clusterId the cluster's id, or null while it is not known; asked on event loops
   * @param observers are told of connections and of the ends of calls
   */
  public RpcServer(
      RpcServerConfig config,
      ServiceRegistry services,
      Supplier<String> clusterId,
      List<CallObserver> observers) {
    dispatcher = new Dispatcher(config, Env::nanos, observers);
    transport = new NettyTransport(config, services, clusterId, dispatcher);
  }

  /** Starts the pools and listens. */
  public void start() throws IOException {
    dispatcher.start();
    transport.start();
  }

  /** The port that is listened on. */
  public int port() {
    return transport.port();
  }

  /** Connections that are open. */
  public int connectionCount() {
    return transport.connectionCount();
  }

  /** What runs the calls. */
  public Dispatcher dispatcher() {
    return dispatcher;
  }

  /** Stops listening, lets running handlers finish, and closes every connection. */
  @Override
  public void close() {
    transport.stopListening();
    dispatcher.close();
    transport.close();
  }
}
