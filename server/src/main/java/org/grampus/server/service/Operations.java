package org.grampus.server.service;

import org.grampus.server.env.ThrottledErrorLog;
import org.grampus.server.region.OnlineRegion;
import org.grampus.server.region.RequestCounters.Kind;
import org.slf4j.LoggerFactory;

/**
 * The ends of operations, for the counters of their regions and for the server's observer, of which
 * nothing that it throws reaches a call. Any thread.
 */
final class Operations {
  private final OperationObserver observer;
  private final ThrottledErrorLog uncounted =
      new ThrottledErrorLog(
          LoggerFactory.getLogger(Operations.class),
          "an operation was not counted; the operation itself is not affected");

  Operations(OperationObserver observer) {
    this.observer = observer;
  }

  /**
   * An operation has ended.
   *
   * @param nanos that it took
   */
  void ended(Operation operation, OnlineRegion region, long nanos) {
    ended(operation, region, nanos, 0);
  }

  private void ended(Operation operation, OnlineRegion region, long nanos, long scannedBytes) {
    try {
      observer.ended(operation, region, nanos, scannedBytes);
    } catch (Throwable t) {
      uncounted.report(t);
    }
  }

  /** A get has ended; of those that failed HBase keeps the time, too. */
  void got(OnlineRegion region, long nanos, long scannedBytes) {
    region.counters().count(Kind.GET);
    ended(Operation.GET, region, nanos, scannedBytes);
  }

  /** A call of a scanner has ended. */
  void scanned(OnlineRegion region, OperationObserver.ScannedCall call) {
    region.counters().count(Kind.SCAN);
    try {
      observer.scanned(region, call);
    } catch (Throwable t) {
      uncounted.report(t);
    }
  }

  /** A call of a scanner over all of its region. */
  void fullScan() {
    try {
      observer.fullScan();
    } catch (Throwable t) {
      uncounted.report(t);
    }
  }

  /** A part of a Multi has failed. */
  void failed(Throwable error) {
    try {
      observer.failed(error);
    } catch (Throwable t) {
      uncounted.report(t);
    }
  }

  /**
   * A bulk load has ended.
   *
   * @param nanos its duration
   */
  void loaded(long nanos) {
    try {
      observer.loaded(nanos);
    } catch (Throwable t) {
      uncounted.report(t);
    }
  }
}
