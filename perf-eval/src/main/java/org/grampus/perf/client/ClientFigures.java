package org.grampus.perf.client;

import com.google.gson.Gson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.HdrHistogram.Histogram;

/**
 * What a client says about its run.
 *
 * @param operations that were answered
 * @param seconds from the first request to the last answer
 * @param p50Micros median latency of a call, in µs; null where none was measured
 * @param p99Micros its 99th percentile
 * @param errors operations that failed
 * @param found rows that came back, where the servers' answers are to be compared; else 0
 * @param serverCpuMicros processor time of the server meanwhile, in µs, where the client has looked
 *     at it; else null
 */
public record ClientFigures(
    long operations,
    double seconds,
    Double p50Micros,
    Double p99Micros,
    long errors,
    long found,
    Long serverCpuMicros) {
  private static final Gson GSON = new Gson();
  private static final double SECONDS_MIN = 1e-3;

  /** Of a client that has not looked at the server. */
  public ClientFigures(
      long operations,
      double seconds,
      Double p50Micros,
      Double p99Micros,
      long errors,
      long found) {
    this(operations, seconds, p50Micros, p99Micros, errors, found, null);
  }

  /** The same with the processor time of the server, in µs. */
  public ClientFigures withServerCpu(long micros) {
    return new ClientFigures(operations, seconds, p50Micros, p99Micros, errors, found, micros);
  }

  /** With the percentiles of latencies in µs. */
  public static ClientFigures of(
      long operations, double seconds, Histogram micros, long errors, long found) {
    boolean measured = micros.getTotalCount() > 0;
    return new ClientFigures(
        operations,
        seconds,
        measured ? (double) micros.getValueAtPercentile(50) : null,
        measured ? (double) micros.getValueAtPercentile(99) : null,
        errors,
        found);
  }

  /** What a program has written. */
  public static ClientFigures read(Path file) throws IOException {
    return GSON.fromJson(Files.readString(file), ClientFigures.class);
  }

  /** Writes them as JSON. */
  public void write(Path file) throws IOException {
    Files.writeString(file, GSON.toJson(this));
  }

  /** Answers against the whole time. */
  public double operationsPerSecond() {
    return operations / Math.max(seconds, SECONDS_MIN);
  }
}
