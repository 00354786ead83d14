package org.grampus.perf.pe.measure;

import org.HdrHistogram.Histogram;

/**
 * How long requests take, in microseconds, exactly counted to three digits: the service time of
 * each request, and the response time of each row from the moment at which it was due. They differ
 * at a fixed rate alone, where a slow answer delays the requests behind it, and rows wait for the
 * others of their batch. For one thread.
 */
public final class Latencies {
  private static final int DIGITS = 3;

  private final Histogram service = new Histogram(DIGITS);
  private final Histogram response = new Histogram(DIGITS);
  private final long thresholdMicros;
  private long overThreshold;

  /**
   * None yet.
   *
   * @param thresholdMillis service times from this one on are counted; 0: none
   */
  public Latencies(long thresholdMillis) {
    this.thresholdMicros = Math.multiplyExact(thresholdMillis, 1000L);
  }

  /** Counts a request of one row by its service and its response time. */
  public void add(long serviceMicros, long responseMicros) {
    served(serviceMicros);
    responded(responseMicros);
  }

  /** Counts the response time of a row. */
  public void responded(long responseMicros) {
    response.recordValue(Math.max(0, responseMicros));
  }

  /** Counts the service time of a request. */
  public void served(long serviceMicros) {
    service.recordValue(Math.max(0, serviceMicros));
    if (thresholdMicros > 0 && serviceMicros >= thresholdMicros) {
      overThreshold++;
    }
  }

  /** Adds those of another client. */
  public void add(Latencies other) {
    service.add(other.service);
    response.add(other.response);
    overThreshold += other.overThreshold;
  }

  /** Adds counts that were sent from elsewhere. */
  public void add(Histogram otherService, Histogram otherResponse, long otherOverThreshold) {
    service.add(otherService);
    response.add(otherResponse);
    overThreshold += otherOverThreshold;
  }

  /** Times from the request; the caller does not change it. */
  public Histogram service() {
    return service;
  }

  /** Times of rows from the moment at which they were due; the caller does not change it. */
  public Histogram response() {
    return response;
  }

  /** Service times at or above the threshold. */
  public long overThreshold() {
    return overThreshold;
  }
}
