package org.grampus.perf.pe.measure;

import java.util.Map;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;

/**
 * What happened second by second. In a run of hours the intervals get longer, so that there are
 * never more than {@link #INTERVALS_MAX}, empty ones included. For one thread; add those of several
 * clients up at the end.
 */
public final class Series {
  /** The most intervals that a series has. */
  public static final int INTERVALS_MAX = 2048;

  private static final long SECOND_MILLIS = 1000;

  private TreeMap<Long, Interval> intervals = new TreeMap<>();
  private long millis;

  /** None yet, with intervals of a second. */
  public Series() {
    this(SECOND_MILLIS);
  }

  /** None yet, with intervals of so many milliseconds. */
  public Series(long millis) {
    this.millis = millis;
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
    Interval interval =
        intervals.computeIfAbsent(Math.floorDiv(epochMillis, millis), number -> new Interval());
    if (intervals.lastKey() - intervals.firstKey() >= INTERVALS_MAX) {
      widen(millis * 2);
      return at(epochMillis);
    }
    return interval;
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
