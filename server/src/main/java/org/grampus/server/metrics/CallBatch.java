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
        count();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Gives all to the histograms. For threads that may wait. */
  void settle() {
    lock.lock();
    try {
      count();
    } finally {
      lock.unlock();
    }
  }

  /** One histogram after the other, so that each is at hand. */
  private void count() {
    int count = calls;
    calls = 0;
    for (int i = 0; i < count; i++) {
      source.dequeuedCall(waitedMillis[i]);
    }
    for (int i = 0; i < count; i++) {
      source.processedCall(processedMillis[i]);
    }
    for (int i = 0; i < count; i++) {
      source.queuedAndProcessedCall(totalMillis[i]);
    }
    for (int i = 0; i < count; i++) {
      source.receivedRequest(requestBytes[i]);
    }
    for (int i = 0; i < count; i++) {
      source.sentResponse(replyBytes[i]);
    }
  }
}
