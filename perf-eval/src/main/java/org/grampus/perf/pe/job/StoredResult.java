package org.grampus.perf.pe.job;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;
import org.grampus.perf.pe.client.ClientResult;
import org.grampus.perf.pe.client.Times;
import org.grampus.perf.pe.measure.Counts;
import org.grampus.perf.pe.measure.Latencies;
import org.grampus.perf.pe.measure.Series;
import org.grampus.perf.pe.option.Share;

/**
 * A client's result as it travels, with histograms in HdrHistogram's compressed form in Base64.
 *
 * @param client its number
 * @param share its rows
 * @param asked operations that it was to do
 * @param counts what it did
 * @param times when
 * @param latencies of its requests
 * @param seriesMillis length of the intervals
 * @param series what happened in them
 */
record StoredResult(
    int client,
    Share share,
    long asked,
    Counts counts,
    Times times,
    StoredLatencies latencies,
    long seriesMillis,
    List<StoredInterval> series) {
  /** Latencies. */
  record StoredLatencies(String service, String response, long overThreshold) {}

  /** An interval by its begin in milliseconds since 1970. */
  record StoredInterval(long begin, long operations, String micros) {}

  static StoredResult of(ClientResult result) {
    Latencies latencies = result.latencies();
    List<StoredInterval> series = new ArrayList<>();
    result
        .series()
        .intervals()
        .forEach(
            (begin, interval) ->
                series.add(
                    new StoredInterval(begin, interval.operations(), text(interval.micros()))));
    return new StoredResult(
        result.client(),
        result.share(),
        result.asked(),
        result.counts(),
        result.times(),
        new StoredLatencies(
            text(latencies.service()), text(latencies.response()), latencies.overThreshold()),
        result.series().millis(),
        series);
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
    Series intervals = new Series(seriesMillis);
    for (StoredInterval one : series) {
      intervals.add(one.begin, one.operations, histogram(one.micros));
    }
    return new ClientResult(client, share, asked, counts, times, all, intervals);
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
