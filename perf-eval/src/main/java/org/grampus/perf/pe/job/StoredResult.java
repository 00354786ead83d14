package org.grampus.perf.pe.job;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;
import org.grampus.engine.Absent;
import org.grampus.perf.pe.client.Assignment;
import org.grampus.perf.pe.client.ClientResult;
import org.grampus.perf.pe.client.Times;
import org.grampus.perf.pe.measure.Counts;
import org.grampus.perf.pe.measure.Latencies;
import org.grampus.perf.pe.measure.Series;

/**
 * A client's result as it travels, with histograms in HdrHistogram's compressed form in Base64.
 *
 * @param assignment what it was to do
 * @param counts what it did
 * @param times when
 * @param latencies of its requests
 * @param series what happened when
 * @param failure why it did not come to its end; null when it did
 */
record StoredResult(
    Assignment assignment,
    Counts counts,
    Times times,
    StoredLatencies latencies,
    StoredSeries series,
    @Absent String failure) {
  /** Latencies. */
  record StoredLatencies(String service, String response, long overThreshold) {}

  /** Intervals and their length. */
  record StoredSeries(long millis, List<StoredInterval> intervals) {}

  /** An interval by its begin in milliseconds since 1970. */
  record StoredInterval(long begin, long operations, String micros) {}

  static StoredResult of(ClientResult result) {
    return new StoredResult(
        result.assignment(),
        result.counts(),
        result.times(),
        latencies(result.latencies()),
        series(result.series()),
        result.failure());
  }

  private static StoredLatencies latencies(Latencies latencies) {
    return new StoredLatencies(
        text(latencies.service()), text(latencies.response()), latencies.overThreshold());
  }

  private static StoredSeries series(Series series) {
    List<StoredInterval> intervals = new ArrayList<>();
    series
        .intervals()
        .forEach(
            (begin, one) ->
                intervals.add(new StoredInterval(begin, one.operations(), text(one.micros()))));
    return new StoredSeries(series.millis(), intervals);
  }

  private static String text(Histogram histogram) {
    ByteBuffer bytes = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
    int length = histogram.encodeIntoCompressedByteBuffer(bytes);
    bytes.position(0).limit(length);
    return new String(Base64.getEncoder().encode(bytes).array(), StandardCharsets.US_ASCII);
  }

  /**
   * The result.
   *
   * @throws IllegalArgumentException when a histogram is none
   */
  ClientResult result() {
    Latencies all = new Latencies(0);
    all.add(histogram(latencies.service), histogram(latencies.response), latencies.overThreshold);
    Series intervals = new Series(series.millis);
    for (StoredInterval one : series.intervals) {
      intervals.add(one.begin, one.operations, histogram(one.micros));
    }
    return new ClientResult(assignment, counts, times, all, intervals, failure);
  }

  private static Histogram histogram(String text) {
    try {
      return Histogram.decodeFromCompressedByteBuffer(
          ByteBuffer.wrap(Base64.getDecoder().decode(text)), 0);
    } catch (DataFormatException e) {
      throw new IllegalArgumentException("a histogram of a client cannot be read", e);
    }
  }
}
