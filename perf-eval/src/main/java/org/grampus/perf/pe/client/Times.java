package org.grampus.perf.pe.client;

/**
 * When a client, or all of them, have worked; in milliseconds since 1970 and, of the same clock,
 * nanoseconds in all.
 *
 * @param firstMillis just before the first request
 * @param lastMillis just after the last answer
 * @param nanos between them, measured by one clock; of several clients, the longest
 */
public record Times(long firstMillis, long lastMillis, long nanos) {
  private static final long NANOS_OF_MILLI = 1_000_000;

  /** Milliseconds between the first request and the last answer. */
  public long millis() {
    return nanos / NANOS_OF_MILLI;
  }

  /** From the first request of both to the last answer of both. */
  public Times plus(Times other) {
    long first = Math.min(firstMillis, other.firstMillis);
    long last = Math.max(lastMillis, other.lastMillis);
    return new Times(
        first, last, Math.max(Math.max(nanos, other.nanos), (last - first) * NANOS_OF_MILLI));
  }
}
