package org.grampus.server.slowlog;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;

/**
 * What makes a call slow or large, with HBase's keys and defaults ({@code RpcServer}).
 *
 * @param slowMillis calls that take longer are slow
 * @param slowScanMillis the same for calls of scanners
 * @param largeBytes larger replies are large
 * @param largeScanBytes the same for calls of scanners
 * @param buffered whether such calls are kept
 * @param calls how many are kept at most
 */
record SlowLogLimits(
    int slowMillis,
    int slowScanMillis,
    int largeBytes,
    int largeScanBytes,
    boolean buffered,
    int calls) {
  private static final int SLOW_MILLIS = 10_000;
  private static final int LARGE_BYTES = 100 << 20;

  /** More than that no buffer keeps, whatever is configured. */
  private static final int CALLS_MAX = 1 << 16;

  static SlowLogLimits from(Configuration conf) {
    int slow = conf.getInt("hbase.ipc.warn.response.time", SLOW_MILLIS);
    int large = conf.getInt("hbase.ipc.warn.response.size", LARGE_BYTES);
    int calls =
        conf.getInt(
            "hbase.regionserver.slowlog.ringbuffer.size",
            HConstants.DEFAULT_SLOW_LOG_RING_BUFFER_SIZE);
    return new SlowLogLimits(
        slow,
        conf.getInt("hbase.ipc.warn.response.time.scan", slow),
        large,
        conf.getInt("hbase.ipc.warn.response.size.scan", large),
        conf.getBoolean(
            HConstants.SLOW_LOG_BUFFER_ENABLED_KEY, HConstants.DEFAULT_ONLINE_LOG_PROVIDER_ENABLED),
        Math.max(1, Math.min(calls, CALLS_MAX)));
  }

  /** Whether a call took too long; a negative limit is none, as in HBase. */
  boolean isSlow(String method, long millis) {
    int limit = method.equals("Scan") ? slowScanMillis : slowMillis;
    return limit > -1 && millis > limit;
  }

  /** Whether a reply is too large; a negative limit is none. */
  boolean isLarge(String method, long bytes) {
    int limit = method.equals("Scan") ? largeScanBytes : largeBytes;
    return limit > -1 && bytes > limit;
  }
}
