package org.grampus.server.service;

import org.apache.hadoop.conf.Configuration;

/**
 * Settings of the client service; the keys and defaults are in docs/wire.md.
 *
 * @param scannerLeaseMillis time after which a scanner that no client asks for is closed
 * @param maxResultBytes cells that one reply may carry
 * @param rpcTimeoutMillis how long a client is taken to wait that does not say
 * @param maxScanners scanners that may be open
 */
public record ClientServiceConfig(
    int scannerLeaseMillis, long maxResultBytes, int rpcTimeoutMillis, int maxScanners) {
  /** Reads the settings. */
  public static ClientServiceConfig from(Configuration conf) {
    return new ClientServiceConfig(
        conf.getInt("hbase.client.scanner.timeout.period", 60_000),
        conf.getLong("hbase.server.scanner.max.result.size", 100L << 20),
        conf.getInt("hbase.rpc.timeout", 60_000),
        conf.getInt("grampus.scanners.max", 100_000));
  }
}
