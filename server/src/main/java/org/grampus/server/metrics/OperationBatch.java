package org.grampus.server.metrics;

import org.apache.hadoop.hbase.regionserver.metrics.MetricsTableRequests;
import org.grampus.server.service.Operation;

/** Operations on their way to HBase's histograms. Any thread. */
final class OperationBatch extends HeldBatch {
  private final Histograms histograms;
  private final Operation[] operations = new Operation[HELD_MAX];
  private final MetricsTableRequests[] tables = new MetricsTableRequests[HELD_MAX];
  private final int[] millis = new int[HELD_MAX];
  private final long[] scannedBytes = new long[HELD_MAX];

  /** Where operations are counted. */
  interface Histograms {
    /** Counts one. */
    void add(Operation operation, MetricsTableRequests table, int millis, long scannedBytes);
  }

  OperationBatch(Histograms histograms) {
    this.histograms = histograms;
  }

  /** Takes an operation. */
  void add(Operation operation, MetricsTableRequests table, int tookMillis, long bytes) {
    int slot = beginAdd();
    if (slot == BUSY) {
      histograms.add(operation, table, tookMillis, bytes);
      return;
    }
    operations[slot] = operation;
    tables[slot] = table;
    millis[slot] = tookMillis;
    scannedBytes[slot] = bytes;
    endAdd();
  }

  @Override
  void drain(int slots) {
    for (int i = 0; i < slots; i++) {
      histograms.add(operations[i], tables[i], millis[i], scannedBytes[i]);
      tables[i] = null; // a table that is gone is not kept
    }
  }
}
