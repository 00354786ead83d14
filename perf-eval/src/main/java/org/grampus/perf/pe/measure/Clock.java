package org.grampus.perf.pe.measure;

/** Time. Only {@link SystemClock} asks the machine. For any thread. */
public interface Clock {
  /** Nanoseconds in a row since any moment. */
  long nanos();

  /** Milliseconds since 1970 at a moment that {@link #nanos} has said. */
  long epochMillis(long nanos);

  /** Waits until {@link #nanos} reaches a time; returns at once when it has already. */
  void sleepUntil(long nanos) throws InterruptedException;
}
