package org.grampus.mapreduce.input;

import java.io.Closeable;
import java.io.IOException;
import java.util.Arrays;
import java.util.Map;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.UnknownScannerException;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.metrics.ScanMetrics;
import org.apache.hadoop.hbase.exceptions.OutOfOrderScannerNextException;
import org.apache.hadoop.hbase.exceptions.ScannerResetException;
import org.apache.hadoop.hbase.regionserver.LeaseException;
import org.apache.hadoop.hbase.util.ExceptionUtil;
import org.apache.hadoop.util.Time;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The results of a table's scan, over more than one scanner where one is lost: the next one begins
 * behind the last row, or within it behind the last cell that was returned. So no row is lost or
 * comes twice, whatever was written or deleted meanwhile. One thread.
 */
final class ResumingResults implements Closeable {
  /** Opens a scanner. */
  @FunctionalInterface
  interface Scanners {
    /** Opens one for a scan, which stays the caller's. */
    ResultScanner open(Scan scan) throws IOException;
  }

  private static final Logger LOG = LoggerFactory.getLogger(ResumingResults.class);

  private final Scanners scanners;
  private final Scan scan;
  private final ReadCounters counters;
  private final ScannerLease lease;
  private ResultScanner scanner;
  private Cell lastCell;
  private boolean rowEnded;
  private byte[] cursor;
  private Cell skipUpTo;
  private int rows;
  private long serverNanos;

  /** Results of a scan; the counters get what the client counts. */
  ResumingResults(Scanners scanners, Scan scan, ReadCounters counters, ScannerLease lease)
      throws IOException {
    this.scanners = scanners;
    this.scan = scan;
    this.counters = counters;
    this.lease = lease;
    this.scanner = scanners.open(new Scan(scan).setScanMetricsEnabled(true));
  }

  /** The next result, which may be a cursor if the scan wants such; null at the end. */
  Result next() throws IOException {
    try {
      if (lease.renewIfDue(scanner)) {
        counters.own("LEASE_RENEWALS", 1);
      }
      return read();
    } catch (IOException e) {
      if (ExceptionUtil.isInterrupt(e) || (e instanceof DoNotRetryIOException && !isLoss(e))) {
        throw e;
      }
      LOG.warn("lost a scanner behind {}; opening another one", lastCell, e);
      return resume() ? read() : null;
    }
  }

  /** What a client does not repeat as it is, although another scanner can go on. */
  private static boolean isLoss(IOException e) {
    return e instanceof UnknownScannerException
        || e instanceof LeaseException
        || e instanceof ScannerResetException
        || e instanceof OutOfOrderScannerNextException;
  }

  private Result read() throws IOException {
    while (true) {
      Result result = fromServer();
      if (result == null) {
        return null;
      }
      if (result.isCursor()) {
        cursor = result.getCursor().getRow();
        return result;
      }
      Result rest = behindSkipped(result);
      if (!rest.isEmpty()) {
        note(rest);
        return rest;
      }
    }
  }

  /** Mostly a result that the client has; the others take a call, hence the time. */
  private Result fromServer() throws IOException {
    long begun = Time.monotonicNowNanos();
    try {
      return scanner.next();
    } finally {
      serverNanos += Time.monotonicNowNanos() - begun;
    }
  }

  private void note(Result result) {
    Cell[] cells = result.rawCells();
    lastCell = cells[cells.length - 1];
    rowEnded = !result.mayHaveMoreCellsInRow();
    cursor = null;
    rows += rowEnded ? 1 : 0;
    counters.result(result);
    if (result.isStale()) {
      counters.hbase("NUM_SCAN_RESULTS_STALE", 1);
    }
  }

  /** A result without the cells that an earlier scanner has returned. */
  private Result behindSkipped(Result result) {
    if (skipUpTo == null || result.isEmpty()) {
      return result;
    }
    Cell[] cells = result.rawCells();
    int first = 0;
    while (first < cells.length && wasReturned(cells[first])) {
      first++;
    }
    if (first < cells.length) {
      skipUpTo = null;
    }
    return first == 0
        ? result
        : Result.create(
            Arrays.copyOfRange(cells, first, cells.length),
            null,
            result.isStale(),
            result.mayHaveMoreCellsInRow());
  }

  private boolean wasReturned(Cell cell) {
    return CellUtil.matchingRows(cell, skipUpTo)
        && CellComparator.getInstance().compare(cell, skipUpTo, true) <= 0;
  }

  /** Opens another scanner; false when the scan's limit is reached. */
  private boolean resume() throws IOException {
    closeScanner();
    Scan rest = new Scan(scan).setScanMetricsEnabled(true);
    if (scan.getLimit() > 0) {
      if (rows >= scan.getLimit()) {
        return false;
      }
      rest.setLimit(scan.getLimit() - rows);
    }
    skipUpTo = null;
    if (cursor != null && (lastCell == null || !CellUtil.matchingRows(lastCell, cursor))) {
      rest.withStartRow(cursor, true); // nothing was returned at or behind it
    } else if (lastCell != null) {
      rest.withStartRow(CellUtil.cloneRow(lastCell), !rowEnded);
      skipUpTo = rowEnded ? null : lastCell;
    }
    scanner = scanners.open(rest);
    counters.hbase("NUM_SCANNER_RESTARTS", 1);
    return true;
  }

  private void closeScanner() {
    if (scanner == null) {
      return;
    }
    ScanMetrics metrics = scanner.getScanMetrics();
    if (metrics != null) {
      for (Map.Entry<String, Long> metric : metrics.getMetricsMap().entrySet()) {
        counters.hbase(metric.getKey(), metric.getValue());
      }
    }
    scanner.close();
    scanner = null;
  }

  @Override
  public void close() {
    closeScanner();
    counters.inServer(serverNanos);
    serverNanos = 0;
    counters.report();
  }
}
