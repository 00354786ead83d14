package org.grampus.server.metrics;

import java.util.concurrent.locks.ReentrantLock;
import org.apache.hadoop.hbase.regionserver.metrics.MetricsTableRequests;
import org.grampus.server.service.Operation;

/**
 * Operations that HBase's histograms do not have yet, for the reason of {@link CallBatch}. Any
 * thread; none waits for another.
 */
final class OperationBatch {
  static final int OPERATIONS_MAX = 64;

  private final Histograms histograms;
  private final ReentrantLock lock = new ReentrantLock();
  private final Operation[] operations = new Operation[OPERATIONS_MAX];
  private final MetricsTableRequests[] tables = new MetricsTableRequests[OPERATIONS_MAX];
  private final int[] millis = new int[OPERATIONS_MAX];
  private final long[] lookedBytes = new long[OPERATIONS_MAX];
  private int held;

  /** Where operations are counted. */
  interface Histograms {
    /** Counts one. */
    void add(Operation operation, MetricsTableRequests table, int millis, long lookedBytes);
  }

  OperationBatch(Histograms histograms) {
    this.histograms = histograms;
  }

  /**
   * Takes an operation, and settles where there is no room for another. While another thread is
   * here the operation is counted at once.
   */
  void add(Operation operation, MetricsTableRequests table, int tookMillis, long looked) {
    if (!lock.tryLock()) {
      histograms.add(operation, table, tookMillis, looked);
      return;
    }
    try {
      operations[held] = operation;
      tables[held] = table;
      millis[held] = tookMillis;
      lookedBytes[held] = looked;
      held++;
      if (held == OPERATIONS_MAX) {
        drain();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Gives all to the histograms. For threads that may wait. */
  void settle() {
    lock.lock();
    try {
      drain();
    } finally {
      lock.unlock();
    }
  }

  /** Gives the histograms what is held. Under the lock. */
  private void drain() {
    int drained = held;
    held = 0;
    for (int i = 0; i < drained; i++) {
      histograms.add(operations[i], tables[i], millis[i], lookedBytes[i]);
      tables[i] = null; // a table that is gone is not kept
    }
  }
}
