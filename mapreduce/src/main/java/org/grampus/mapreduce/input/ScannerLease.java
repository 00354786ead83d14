package org.grampus.mapreduce.input;

import java.util.function.LongSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.Consistency;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.util.Time;

/**
 * Keeps a scanner while its results are worked on: a server forgets a scanner that no client has
 * asked for as long as a lease lasts, and the results of one call may be the work of hours. One
 * thread.
 */
final class ScannerLease {
  /** A lease is renewed this often within its time, so that one renewal may come late. */
  private static final int RENEWALS = 3;

  private final long periodMillis;
  private final LongSupplier clockMillis;
  private long renewedMillis;

  /**
   * A lease.
   *
   * @param leaseMillis how long servers keep a scanner
   * @param clockMillis a clock that is never set back
   */
  ScannerLease(long leaseMillis, LongSupplier clockMillis) {
    this.periodMillis = Math.max(1, leaseMillis / RENEWALS);
    this.clockMillis = clockMillis;
    this.renewedMillis = clockMillis.getAsLong();
  }

  /**
   * A lease as long as clients are told that servers give. It is never renewed where that could
   * lose rows. Where a thread of the client fetches rows ahead, the client's scanners are not safe
   * for a call of ours beside one of that thread, which would take the empty reply for the end of
   * the region. Where replicas may answer, one that is asked to renew opens a scanner instead, and
   * the client drops the rows that it returns.
   */
  static ScannerLease of(Configuration conf, Scan scan) {
    long millis =
        conf.getLong(
            HConstants.HBASE_CLIENT_SCANNER_TIMEOUT_PERIOD,
            HConstants.DEFAULT_HBASE_CLIENT_SCANNER_TIMEOUT_PERIOD);
    return new ScannerLease(mayLoseRows(conf, scan) ? Long.MAX_VALUE : millis, Time::monotonicNow);
  }

  static boolean mayLoseRows(Configuration conf, Scan scan) {
    return fetchesAhead(conf, scan) || scan.getConsistency() == Consistency.TIMELINE;
  }

  /** As the client decides it. */
  private static boolean fetchesAhead(Configuration conf, Scan scan) {
    Boolean wanted = scan.isAsyncPrefetch();
    return wanted == null
        ? conf.getBoolean(
            Scan.HBASE_CLIENT_SCANNER_ASYNC_PREFETCH,
            Scan.DEFAULT_HBASE_CLIENT_SCANNER_ASYNC_PREFETCH)
        : wanted;
  }

  /**
   * Renews it if that is due. Where it is over already nothing happens here: the scanner's next
   * call opens another one behind the last row.
   *
   * @return whether it was due
   */
  boolean renewIfDue(ResultScanner scanner) {
    if (clockMillis.getAsLong() - renewedMillis < periodMillis) {
      return false;
    }
    if (Thread.currentThread().isInterrupted()) {
      return false; // a renewal would swallow it; the scanner's next call says it
    }
    scanner.renewLease();
    renewedMillis = clockMillis.getAsLong();
    return true;
  }
}
