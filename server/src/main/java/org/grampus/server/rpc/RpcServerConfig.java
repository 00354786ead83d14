package org.grampus.server.rpc;

import org.apache.hadoop.conf.Configuration;
import org.grampus.server.memory.MemoryLimits;

/**
 * Settings of an RPC server; the keys and defaults are in docs/configuration.md.
 *
 * @param bindAddress address to listen on
 * @param port port, 0 for any
 * @param backlog length of the kernel's accept queue
 * @param eventLoops threads that read, decode and write
 * @param nativeTransport epoll where it is available
 * @param handlers threads of the general pool
 * @param priorityHandlers threads of the priority pool
 * @param callQueueLength calls that may wait for the general pool
 * @param priorityCallQueueLength calls that may wait for the priority pool
 * @param callQueueBytes bytes of requests that may be in flight
 * @param maxRequestBytes size of the largest request frame
 * @param maxConnections connections that may be open
 * @param maxConnectionsPerAddress connections that may be open from one address
 * @param minClientTimeoutMillis lower bound of a client's timeout
 * @param handshakeTimeoutMillis time for preamble and connection header
 * @param frameTimeoutMillis time for which a request that has begun may make no progress
 * @param replyTimeoutMillis time for which a client may read nothing of its replies
 * @param memory what requests and replies may take
 * @param writeHighWaterBytes unsent reply bytes at which reading from a connection stops
 * @param tcpNoDelay socket option
 * @param tcpKeepAlive socket option
 */
public record RpcServerConfig(
    String bindAddress,
    int port,
    int backlog,
    int eventLoops,
    boolean nativeTransport,
    int handlers,
    int priorityHandlers,
    int callQueueLength,
    int priorityCallQueueLength,
    long callQueueBytes,
    int maxRequestBytes,
    int maxConnections,
    int maxConnectionsPerAddress,
    int minClientTimeoutMillis,
    int handshakeTimeoutMillis,
    int frameTimeoutMillis,
    int replyTimeoutMillis,
    MemoryLimits memory,
    int writeHighWaterBytes,
    boolean tcpNoDelay,
    boolean tcpKeepAlive) {

  private static final int CALLS_PER_HANDLER = 10;

  /** Reads a region server's settings. */
  public static RpcServerConfig from(Configuration conf) {
    int handlers = positive(conf, "hbase.regionserver.handler.count", 30);
    int priorityHandlers = positive(conf, "hbase.regionserver.metahandler.count", 20);
    int loops = conf.getInt("hbase.netty.worker.count", 0);
    return new RpcServerConfig(
        conf.get("hbase.regionserver.ipc.address", "127.0.0.1"),
        conf.getInt("hbase.regionserver.port", 16020),
        positive(conf, "hbase.ipc.server.listen.queue.size", 128),
        loops > 0 ? loops : Runtime.getRuntime().availableProcessors(),
        conf.getBoolean("hbase.netty.nativetransport", true),
        handlers,
        priorityHandlers,
        positive(conf, "hbase.ipc.server.max.callqueue.length", handlers * CALLS_PER_HANDLER),
        positive(
            conf,
            "hbase.ipc.server.priority.max.callqueue.length",
            priorityHandlers * CALLS_PER_HANDLER),
        conf.getLong("hbase.ipc.server.max.callqueue.size", 1L << 30),
        positive(conf, "hbase.ipc.max.request.size", 256 << 20),
        positive(conf, "grampus.rpc.connections.max", 20_000),
        positive(conf, "grampus.rpc.connections.per.address.max", 2_000),
        conf.getInt("hbase.ipc.min.client.request.timeout", 20),
        positive(conf, "grampus.rpc.handshake.timeout.ms", 60_000),
        positive(conf, "grampus.rpc.frame.timeout.ms", 60_000),
        positive(conf, "grampus.rpc.reply.timeout.ms", 60_000),
        MemoryLimits.from(conf),
        positive(conf, "hbase.server.netty.writable.watermark.high", 8 << 20),
        conf.getBoolean("hbase.ipc.server.tcpnodelay", true),
        conf.getBoolean("hbase.ipc.server.tcpkeepalive", true));
  }

  private static int positive(Configuration conf, String key, int defaultValue) {
    int value = conf.getInt(key, defaultValue);
    if (value <= 0) {
      throw new IllegalArgumentException(key + " must be positive, not " + value);
    }
    return value;
  }
}
