package org.grampus.perf.pe.measure;

import java.util.Map;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;

/**
 * What happened second by second. In a long run the intervals get longer, so that there are never
 * more than a series of that many clients may have, empty ones included. For one thread; add those
 * of several clients up at the end.
 */
public final class Series {
  /** The most intervals that a series has; those of many clients have fewer. */
  public static final int INTERVALS_MAX = 2048;

  private static final int ALL_INTERVALS_MAX = 1 << 16;
  private static final int INTERVALS_MIN = 64;
  private static final long SECOND_MILLIS = 1000;

  private final int max;
  private TreeMap<Long, Interval> intervals = new TreeMap<>();
  private long millis;

  /** That of the last time; null when there is none. */
  private Interval current;

  private long currentNumber;

  private Series(int max, long millis) {
    this.max = max;
    this.millis = millis;
  }

  /** None yet, with intervals of a second. */
  public Series() {
    this(INTERVALS_MAX, SECOND_MILLIS);
  }

  /** None yet, with intervals of {@code millis} milliseconds. */
  public Series(long millis) {
    this(INTERVALS_MAX, millis);
  }

  /** None yet, with intervals of a second, for one of {@code clients} clients. */
  public static Series ofOneOf(int clients) {
    int max = Math.max(INTERVALS_MIN, Math.min(INTERVALS_MAX, ALL_INTERVALS_MAX / clients));
    return new Series(max, SECOND_MILLIS);
  }

  /** Adds what happened in an interval that began at a time. */
  public void add(long epochMillis, long operations, Histogram micros) {
    at(epochMillis).add(operations, micros);
  }

  /** Counts operations that were answered at a time. */
  public void answered(long epochMillis, long count) {
    at(epochMillis).answered(count);
  }

  /** Counts the latency of a request that ended at a time. */
  public void latency(long epochMillis, long micros) {
    at(epochMillis).latency(micros);
  }

  private Interval at(long epochMillis) {
    long number = Math.floorDiv(epochMillis, millis);
    if (current == null || number != currentNumber) {
      current = intervals.computeIfAbsent(number, other -> new Interval());
      currentNumber = number;
      if (intervals.lastKey() - intervals.firstKey() >= max) {
        widen(millis * 2);
        return at(epochMillis);
      }
    }
    return current;
  }

  private void widen(long wider) {
    TreeMap<Long, Interval> widened = new TreeMap<>();
    intervals.forEach(
        (number, interval) ->
            widened
                .computeIfAbsent(Math.floorDiv(number * millis, wider), other -> new Interval())
                .add(interval.operations(), interval.micros()));
    intervals = widened;
    millis = wider;
    current = null;
  }

  /** Adds that of another client. */
  public void add(Series other) {
    if (other.millis > millis) {
      widen(other.millis);
    }
    other.intervals.forEach(
        (number, interval) ->
            at(number * other.millis).add(interval.operations(), interval.micros()));
  }

  /**
   * The intervals by the time of their begin, in milliseconds since 1970; a stall is an empty one.
   */
  public Map<Long, Interval> intervals() {
    TreeMap<Long, Interval> all = new TreeMap<>();
    if (!intervals.isEmpty()) {
      for (long number = intervals.firstKey(); number <= intervals.lastKey(); number++) {
        all.put(number * millis, intervals.getOrDefault(number, new Interval()));
      }
    }
    return all;
  }

  /** The length of an interval in milliseconds. */
  public long millis() {
    return millis;
  }
}
