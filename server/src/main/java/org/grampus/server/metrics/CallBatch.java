package org.grampus.server.metrics;

import org.apache.hadoop.hbase.ipc.MetricsHBaseServerSource;
import org.grampus.server.rpc.Call;

/**
 * Calls that have succeeded and that HBase's histograms do not have yet. A value costs a histogram
 * five atomic updates; those of one call after the other are slow, since the work between them has
 * taken the histograms out of the processor's caches. Any thread.
 */
final class CallBatch {
  static final int CALLS_MAX = 64;

  private final MetricsHBaseServerSource source;
  private final int[] waitedMillis = new int[CALLS_MAX];
  private final int[] processedMillis = new int[CALLS_MAX];
  private final int[] totalMillis = new int[CALLS_MAX];
  private final long[] requestBytes = new long[CALLS_MAX];
  private final long[] replyBytes = new long[CALLS_MAX];
  private int calls;

  CallBatch(MetricsHBaseServerSource source) {
    this.source = source;
  }

  /** Takes a call, and settles where there is no room for another. */
  synchronized void add(Call call) {
    long total = call.endedNanos() - call.receivedNanos();
    waitedMillis[calls] = Millis.of(call.waitedNanos());
    processedMillis[calls] = Millis.of(total - call.waitedNanos());
    totalMillis[calls] = Millis.of(total);
    requestBytes[calls] = call.requestBytes();
    replyBytes[calls] = call.replyBytes();
    calls++;
    if (calls == CALLS_MAX) {
      settle();
    }
  }

  /** Gives all to the histograms, one histogram after the other. */
  synchronized void settle() {
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
