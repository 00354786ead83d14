package org.grampus.server.metrics;

import org.apache.hadoop.hbase.regionserver.metrics.MetricsTableRequests;
import org.grampus.server.service.OperationObserver.ScannedCall;

/** Calls of scanners on their way to HBase's histograms. Any thread. */
final class ScanBatch extends HeldBatch {
  private final Histograms histograms;
  private final MetricsTableRequests[] tables = new MetricsTableRequests[HELD_MAX];
  private final ScannedCall[] calls = new ScannedCall[HELD_MAX];

  /** Where calls are counted. */
  interface Histograms {
    /** Counts one. */
    void add(MetricsTableRequests table, ScannedCall call);
  }

  ScanBatch(Histograms histograms) {
    this.histograms = histograms;
  }

  /** Takes a call. */
  void add(MetricsTableRequests table, ScannedCall call) {
    int slot = beginAdd();
    if (slot == BUSY) {
      histograms.add(table, call);
      return;
    }
    tables[slot] = table;
    calls[slot] = call;
    endAdd();
  }

  @Override
  void drain(int slots) {
    for (int i = 0; i < slots; i++) {
      histograms.add(tables[i], calls[i]);
      tables[i] = null; // a table that is gone is not kept
      calls[i] = null;
    }
  }
}
