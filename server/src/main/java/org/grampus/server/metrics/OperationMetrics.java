package org.grampus.server.metrics;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.metrics.Timer;
import org.apache.hadoop.hbase.regionserver.MetricsRegionServer;
import org.apache.hadoop.hbase.regionserver.MetricsRegionServerSource;
import org.apache.hadoop.hbase.regionserver.metrics.MetricsTableRequests;
import org.grampus.server.region.OnlineRegion;
import org.grampus.server.service.Operation;
import org.grampus.server.service.OperationObserver;

/**
 * What is counted with each operation: latencies of the server and of its tables in HBase's
 * histograms, which get many operations at a time ({@link OperationBatch}, {@link ScanBatch}).
 * Times are whole milliseconds, as HBase's. Any thread.
 */
final class OperationMetrics implements OperationObserver {
  private static final int DEFAULT_SLOW_MILLIS = 1000;

  private final MetricsRegionServerSource operations;
  private final Timer loads;
  private final TableRequests tables;
  private final CallMetrics calls;
  private final RequestTotals totals;
  private final long slowMillis;
  private final Stripes<OperationBatch> batches =
      new Stripes<>(() -> new OperationBatch(this::add));
  private final Stripes<ScanBatch> scans = new Stripes<>(() -> new ScanBatch(this::add));

  OperationMetrics(
      Configuration conf,
      MetricsRegionServerSource operations,
      Timer loads,
      TableRequests tables,
      CallMetrics calls) {
    this.operations = operations;
    this.loads = loads;
    this.tables = tables;
    this.calls = calls;
    this.totals = calls.totals();
    this.slowMillis = conf.getLong(MetricsRegionServer.SLOW_METRIC_TIME, DEFAULT_SLOW_MILLIS);
  }

  @Override
  public void ended(Operation operation, OnlineRegion region, long nanos, long scannedBytes) {
    batches.mine().add(operation, tables.of(region), Millis.of(nanos), scannedBytes);
  }

  /** Gives the histograms all that has ended. */
  void handOver() {
    batches.forEach(OperationBatch::handOver);
    scans.forEach(ScanBatch::handOver);
  }

  private void add(Operation operation, MetricsTableRequests table, int millis, long scannedBytes) {
    addToServer(operation, millis, scannedBytes);
    addToTable(operation, table, millis, scannedBytes);
    if (millis > slowMillis) {
      slow(operation);
    }
  }

  private void addToServer(Operation operation, int millis, long scannedBytes) {
    switch (operation) {
      case GET -> operations.updateGet(millis, scannedBytes);
      case PUT -> operations.updatePut(millis);
      case PUT_BATCH -> operations.updatePutBatch(millis);
      case DELETE -> operations.updateDelete(millis);
      case DELETE_BATCH -> operations.updateDeleteBatch(millis);
      case INCREMENT -> operations.updateIncrement(millis, 0);
      case APPEND -> operations.updateAppend(millis, 0);
      case CHECK_AND_PUT -> operations.updateCheckAndPut(millis);
      case CHECK_AND_DELETE -> operations.updateCheckAndDelete(millis);
      case CHECK_AND_MUTATE -> operations.updateCheckAndMutate(millis, 0);
    }
  }

  private static void addToTable(
      Operation operation, MetricsTableRequests table, int millis, long scannedBytes) {
    switch (operation) {
      case GET -> table.updateGet(millis, scannedBytes);
      case PUT -> table.updatePut(millis);
      case PUT_BATCH -> table.updatePutBatch(millis);
      case DELETE -> table.updateDelete(millis);
      case DELETE_BATCH -> table.updateDeleteBatch(millis);
      case INCREMENT -> table.updateIncrement(millis, 0);
      case APPEND -> table.updateAppend(millis, 0);
      case CHECK_AND_PUT -> table.updateCheckAndPut(millis);
      case CHECK_AND_DELETE -> table.updateCheckAndDelete(millis);
      case CHECK_AND_MUTATE -> table.updateCheckAndMutate(millis, 0);
    }
  }

  private void slow(Operation operation) {
    switch (operation) {
      case GET -> operations.incrSlowGet();
      case PUT -> operations.incrSlowPut();
      case DELETE -> operations.incrSlowDelete();
      case INCREMENT -> operations.incrSlowIncrement();
      case APPEND -> operations.incrSlowAppend();
      default -> {} // HBase counts no slow batches and checks
    }
  }

  @Override
  public void scanned(OnlineRegion region, ScannedCall call) {
    scans.mine().add(tables.of(region), call);
  }

  private void add(MetricsTableRequests table, ScannedCall call) {
    int millis = Millis.of(call.nanos());
    operations.updateScan(millis, call.resultBytes(), call.scannedBytes());
    table.updateScan(millis, call.resultBytes(), call.scannedBytes());
  }

  @Override
  public void fullScan() {
    totals.addFullScan();
  }

  @Override
  public void failed(Throwable error) {
    calls.refused(error); // HBase counts it among the exceptions of calls
  }

  @Override
  public void loaded(long nanos) {
    loads.updateNanos(nanos);
  }
}
