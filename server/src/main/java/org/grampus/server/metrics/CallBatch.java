package org.grampus.server.metrics;

import org.apache.hadoop.hbase.ipc.MetricsHBaseServerSource;

/** Calls that have succeeded, on their way to HBase's histograms and counters. Any thread. */
final class CallBatch extends HeldBatch {
  private final MetricsHBaseServerSource source;
  private final int[] waitedMillis = new int[HELD_MAX];
  private final int[] processedMillis = new int[HELD_MAX];
  private final int[] totalMillis = new int[HELD_MAX];
  private final int[] requestBytes = new int[HELD_MAX];
  private final long[] replyBytes = new long[HELD_MAX];

  CallBatch(MetricsHBaseServerSource source) {
    this.source = source;
  }

  /**
   * Takes a call.
   *
   * @param waited of the whole, in milliseconds; so are {@code processed} and {@code total}
   * @param request its size in bytes; so is {@code reply}
   */
  void add(int waited, int processed, int total, int request, long reply) {
    int slot = beginAdd();
    if (slot == BUSY) {
      source.dequeuedCall(waited);
      source.processedCall(processed);
      source.queuedAndProcessedCall(total);
      source.receivedRequest(request);
      source.sentResponse(reply);
      source.receivedBytes(request);
      source.sentBytes(reply);
      return;
    }
    waitedMillis[slot] = waited;
    processedMillis[slot] = processed;
    totalMillis[slot] = total;
    requestBytes[slot] = request;
    replyBytes[slot] = reply;
    endAdd();
  }

  /** One histogram after the other, so that each stays in the processor's cache. */
  @Override
  void drain(int slots) {
    for (int i = 0; i < slots; i++) {
      source.dequeuedCall(waitedMillis[i]);
    }
    for (int i = 0; i < slots; i++) {
      source.processedCall(processedMillis[i]);
    }
    for (int i = 0; i < slots; i++) {
      source.queuedAndProcessedCall(totalMillis[i]);
    }
    for (int i = 0; i < slots; i++) {
      source.receivedRequest(requestBytes[i]);
    }
    for (int i = 0; i < slots; i++) {
      source.sentResponse(replyBytes[i]);
    }
    for (int i = 0; i < slots; i++) {
      source.receivedBytes(requestBytes[i]);
      source.sentBytes(replyBytes[i]);
    }
  }
}
