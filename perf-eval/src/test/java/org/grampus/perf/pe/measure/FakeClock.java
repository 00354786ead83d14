package org.grampus.perf.pe.measure;

/** Time that passes when a thread waits, or a test says so. */
public final class FakeClock implements Clock {
  private static final long NANOS_OF_MILLI = 1_000_000;

  private long nanos;

  @Override
  public long nanos() {
    return nanos;
  }

  @Override
  public long epochMillis(long ofNanos) {
    return ofNanos / NANOS_OF_MILLI;
  }

  @Override
  public void sleepUntil(long until) {
    nanos = Math.max(nanos, until);
  }

  /** Lets time pass. */
  public void pass(long millis) {
    nanos += millis * NANOS_OF_MILLI;
  }
}
