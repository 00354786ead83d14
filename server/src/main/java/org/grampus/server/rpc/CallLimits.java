package org.grampus.server.rpc;

import java.util.concurrent.atomic.AtomicLong;

/** The bytes of all requests in flight, with their limit. Any thread. */
final class CallLimits {
  private final long maxBytes;
  private final AtomicLong bytes = new AtomicLong();

  CallLimits(long maxBytes) {
    this.maxBytes = maxBytes;
  }

  /** Counts a request in; false, counting nothing, when it does not fit. */
  boolean enter(int requestBytes) {
    if (bytes.addAndGet(requestBytes) > maxBytes) {
      bytes.addAndGet(-requestBytes);
      return false;
    }
    return true;
  }

  /** Counts a request out. */
  void leave(int requestBytes) {
    bytes.addAndGet(-requestBytes);
  }

  long bytes() {
    return bytes.get();
  }
}
