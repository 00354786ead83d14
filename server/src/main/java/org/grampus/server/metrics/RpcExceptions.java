package org.grampus.server.metrics;

import org.apache.hadoop.hbase.CallDroppedException;
import org.apache.hadoop.hbase.CallQueueTooBigException;
import org.apache.hadoop.hbase.MultiActionResultTooLarge;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.RegionTooBusyException;
import org.apache.hadoop.hbase.UnknownScannerException;
import org.apache.hadoop.hbase.exceptions.FailedSanityCheckException;
import org.apache.hadoop.hbase.exceptions.OutOfOrderScannerNextException;
import org.apache.hadoop.hbase.exceptions.RegionMovedException;
import org.apache.hadoop.hbase.exceptions.RequestTooBigException;
import org.apache.hadoop.hbase.exceptions.ScannerResetException;
import org.apache.hadoop.hbase.ipc.MetricsHBaseServerSource;

/**
 * Exceptions by the names under which HBase counts them ({@code MetricsHBaseServer.exception},
 * which cannot be used: its source is kept for ever by its factory). Stateless; any thread.
 */
final class RpcExceptions {
  private RpcExceptions() {}

  /** Counts what a client was answered with; a subclass goes before its parent. */
  static void count(Throwable error, MetricsHBaseServerSource counters) {
    counters.exception();
    if (error instanceof OutOfOrderScannerNextException) {
      counters.outOfOrderException();
    } else if (error instanceof RegionTooBusyException) {
      counters.tooBusyException();
    } else if (error instanceof UnknownScannerException) {
      counters.unknownScannerException();
    } else if (error instanceof ScannerResetException) {
      counters.scannerResetException();
    } else if (error instanceof RegionMovedException) {
      counters.movedRegionException();
    } else if (error instanceof NotServingRegionException) {
      counters.notServingRegionException();
    } else if (error instanceof FailedSanityCheckException) {
      counters.failedSanityException();
    } else if (error instanceof MultiActionResultTooLarge) {
      counters.multiActionTooLargeException();
    } else if (error instanceof CallQueueTooBigException) {
      counters.callQueueTooBigException();
    } else if (error instanceof CallDroppedException) {
      counters.callDroppedException();
    } else if (error instanceof RequestTooBigException) {
      counters.requestTooBigException();
    } else {
      counters.otherExceptions();
    }
  }
}
