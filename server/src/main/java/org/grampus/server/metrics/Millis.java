package org.grampus.server.metrics;

import java.util.concurrent.TimeUnit;

/** Times as HBase's histograms take them: whole milliseconds. */
final class Millis {
  private Millis() {}

  /** Nanoseconds as whole milliseconds, rounded down; at most the largest int. */
  static int of(long nanos) {
    return (int) Math.min(Integer.MAX_VALUE, TimeUnit.NANOSECONDS.toMillis(nanos));
  }
}
