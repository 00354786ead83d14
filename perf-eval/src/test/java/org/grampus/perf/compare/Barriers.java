package org.grampus.perf.compare;

import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Waits of steps for each other. */
final class Barriers {
  private static final long SECONDS_MAX = 60;

  private Barriers() {}

  /** Fails when the other step does not come. */
  static void await(CyclicBarrier barrier) throws InterruptedException {
    try {
      barrier.await(SECONDS_MAX, TimeUnit.SECONDS);
    } catch (BrokenBarrierException | TimeoutException e) {
      throw new AssertionError("the other step does not run", e);
    }
  }
}
