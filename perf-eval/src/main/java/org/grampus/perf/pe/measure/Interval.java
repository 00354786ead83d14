package org.grampus.perf.pe.measure;

import org.HdrHistogram.Histogram;
import org.HdrHistogram.PackedHistogram;

/** What happened in one interval of a {@link Series}. Its owner locks. */
public final class Interval {
  /** Two digits: there are many of them, and a chart shows no more. */
  private static final int DIGITS = 2;

  private final Histogram micros = new PackedHistogram(DIGITS);
  private long operations;

  /** Counts operations that were answered in it. */
  void answered(long count) {
    operations += count;
  }

  /** Counts the latency of a request that ended in it. */
  void latency(long value) {
    micros.recordValue(Math.max(0, value));
  }

  /** Adds another one. */
  void add(long otherOperations, Histogram otherMicros) {
    operations += otherOperations;
    micros.add(otherMicros);
  }

  /** Operations. */
  public long operations() {
    return operations;
  }

  /** Latencies of measured requests in microseconds; the caller does not change it. */
  public Histogram micros() {
    return micros;
  }
}
