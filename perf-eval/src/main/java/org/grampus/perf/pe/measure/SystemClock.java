package org.grampus.perf.pe.measure;

import java.util.concurrent.TimeUnit;

/** The machine's clock. It is set once: later changes of the wall clock do not move it. */
public final class SystemClock implements Clock {
  private final long originNanos = System.nanoTime();
  private final long originMillis = System.currentTimeMillis();

  @Override
  public long nanos() {
    return System.nanoTime();
  }

  @Override
  public long epochMillis(long nanos) {
    return originMillis + TimeUnit.NANOSECONDS.toMillis(nanos - originNanos);
  }

  @Override
  public void sleepUntil(long nanos) throws InterruptedException {
    long left = nanos - System.nanoTime();
    while (left > 0) {
      TimeUnit.NANOSECONDS.sleep(left);
      left = nanos - System.nanoTime();
    }
  }
}
