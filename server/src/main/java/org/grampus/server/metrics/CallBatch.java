package org.grampus.server.metrics;

import java.util.concurrent.locks.ReentrantLock;
import org.apache.hadoop.hbase.ipc.MetricsHBaseServerSource;

/**
 * Calls that have succeeded and that HBase's histograms do not have yet. A value costs a histogram
 * five atomic updates; those of one call after the other are slow, since the work between them has
 * taken the histograms out of the processor's caches. Any thread; none waits for another.
 */
final class CallBatch {
  static final int CALLS_MAX = 64;

  private final MetricsHBaseServerSource source;
  private final ReentrantLock lock = new ReentrantLock();
  private final int[] waitedMillis = new int[CALLS_MAX];
  private final int[] processedMillis = new int[CALLS_MAX];
  private final int[] totalMillis = new int[CALLS_MAX];
  private final long[] requestBytes = new long[CALLS_MAX];
  private final long[] replyBytes = new long[CALLS_MAX];
  private int calls;

  CallBatch(MetricsHBaseServerSource source) {
    this.source = source;
  }

  /**
   * Takes a call, and settles where there is no room for another. While another thread is here the
   * call is counted at once: that thread may be one of low priority, and this one an event loop.
   *
   * @param waited of the whole, in milliseconds; so are {@code processed} and {@code total}
   * @param request its size in bytes; so is {@code reply}
   */
  void add(int waited, int processed, int total, long request, long reply) {
    if (!lock.tryLock()) {
      source.dequeuedCall(waited);
      source.processedCall(processed);
      source.queuedAndProcessedCall(total);
      source.receivedRequest(request);
      source.sentResponse(reply);
      return;
    }
    try {
      waitedMillis[calls] = waited;
      processedMillis[calls] = processed;
      totalMillis[calls] = total;
      requestBytes[calls] = request;
      replyBytes[calls] = reply;
      calls++;
      if (calls == CALLS_MAX) {
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

  /** Gives one histogram after the other what is held, so that each is at hand. Under the lock. */
  private void drain() {
    int drained = calls;
    calls = 0;
    for (int i = 0; i < drained; i++) {
      source.dequeuedCall(waitedMillis[i]);
    }
    for (int i = 0; i < drained; i++) {
      source.processedCall(processedMillis[i]);
    }
    for (int i = 0; i < drained; i++) {
      source.queuedAndProcessedCall(totalMillis[i]);
    }
    for (int i = 0; i < drained; i++) {
      source.receivedRequest(requestBytes[i]);
    }
    for (int i = 0; i < drained; i++) {
      source.sentResponse(replyBytes[i]);
    }
  }
}
