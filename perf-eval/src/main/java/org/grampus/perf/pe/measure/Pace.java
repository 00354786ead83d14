package org.grampus.perf.pe.measure;

import java.util.concurrent.TimeUnit;

/**
 * When the requests of a client are due, at a rate that all clients make together. The clients are
 * out of step: each begins a part of the interval after the one before it. Immutable.
 */
public final class Pace {
  private final double intervalNanos;
  private final double offsetNanos;

  /**
   * A client's pace.
   *
   * @param ratePerSecond of all clients; finite and above 0
   * @param client its number, from 0
   * @param clients their number
   */
  public Pace(double ratePerSecond, int client, int clients) {
    double shared = TimeUnit.SECONDS.toNanos(1) / ratePerSecond;
    this.intervalNanos = shared * clients;
    this.offsetNanos = shared * client;
  }

  /** When the n-th request is due, in nanoseconds after the begin of the run. */
  public long dueNanos(long n) {
    return (long) (offsetNanos + n * intervalNanos);
  }
}
