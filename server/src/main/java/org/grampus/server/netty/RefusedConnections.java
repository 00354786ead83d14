package org.grampus.server.netty;

import java.net.InetAddress;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.grampus.server.rpc.RpcServerConfig;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says in the log that connections were closed because there are too many: the first at once, then
 * how many there were, at most once a minute. Any thread.
 */
final class RefusedConnections {
  static final long PAUSE_NANOS = TimeUnit.MINUTES.toNanos(1);
  private static final Logger LOG = LoggerFactory.getLogger(RefusedConnections.class);

  private final RpcServerConfig config;
  private final LongSupplier nanos;
  private long quietUntil;
  private long ofAll;
  private long ofOneAddress;

  RefusedConnections(RpcServerConfig config, LongSupplier nanos) {
    this.config = config;
    this.nanos = nanos;
    this.quietUntil = nanos.getAsLong();
  }

  /**
   * Counts one.
   *
   * @param full whether the server has as many as it may, and not the address alone
   */
  synchronized void add(InetAddress address, boolean full) {
    if (full) {
      ofAll++;
    } else {
      ofOneAddress++;
    }
    long now = nanos.getAsLong();
    if (now - quietUntil >= 0) {
      LOG.warn(
          "connections were refused, the latest from {}: {} because the server has"
              + " grampus.rpc.connections.max = {}, {} because one address has"
              + " grampus.rpc.connections.per.address.max = {}",
          address == null ? "an unknown address" : address.getHostAddress(),
          ofAll,
          config.maxConnections(),
          ofOneAddress,
          config.maxConnectionsPerAddress());
      quietUntil = now + PAUSE_NANOS;
      ofAll = 0;
      ofOneAddress = 0;
    }
  }
}
