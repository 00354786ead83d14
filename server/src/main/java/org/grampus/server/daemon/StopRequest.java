package org.grampus.server.daemon;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;

/** The request for an orderly stop, which may come at any time, also during the start. */
final class StopRequest {
  private final CountDownLatch made = new CountDownLatch(1);
  private final AtomicReference<String> reason = new AtomicReference<>();

  /** Asks for the stop; the first reason counts. */
  void make(String why) {
    reason.compareAndSet(null, why);
    made.countDown();
  }

  /** Whether it was asked for. */
  boolean isMade() {
    return made.getCount() == 0;
  }

  /** Waits until it is asked for; returns the reason. */
  String await() throws InterruptedException {
    made.await();
    return reason.get();
  }
}
