package org.grampus.perf.pe.client;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.grampus.perf.pe.measure.Clock;
import org.grampus.perf.pe.measure.Latencies;
import org.grampus.perf.pe.measure.Series;
import org.grampus.perf.pe.measure.Tally;
import org.grampus.perf.pe.option.PeOptions;
import org.grampus.perf.pe.work.RowTest.Step;

/** Writes down what a client does. For one thread. */
final class Recorder {
  private final Clock clock;
  private final long measureAfter;
  private final Tally tally = new Tally();
  private final Latencies latencies;
  private final Series series;

  /** When the rows were due that wait for their answer; empty without a rate. */
  private final List<Long> dues = new ArrayList<>();

  private long treated;
  private long counted;

  Recorder(PeOptions options, Clock clock) {
    this.clock = clock;
    this.measureAfter = options.measure().measureAfter();
    this.latencies = new Latencies(options.measure().latencyThresholdMillis());
    this.series = Series.ofOneOf(options.clientCount());
  }

  /** Where the test counts. */
  Tally tally() {
    return tally;
  }

  /** Rows that were treated until now. */
  long treated() {
    return treated;
  }

  /** Another row was treated. */
  void treat() {
    treated++;
  }

  /** Another row was treated, which was due at a time. */
  void treat(long dueNanos) {
    treated++;
    if (isMeasured()) {
      dues.add(dueNanos);
    }
  }

  private boolean isMeasured() {
    return treated > measureAfter;
  }

  /** Service times until now. */
  Histogram micros() {
    return latencies.service();
  }

  /**
   * Measures a request, if it was one and the rows that are not measured are past: its own time,
   * and of each of its rows that from when it was due.
   */
  void measure(Step step, long sentNanos, long answeredNanos) {
    if (step == Step.KEPT) {
      return;
    }
    if (step != Step.END && isMeasured()) {
      long micros = TimeUnit.NANOSECONDS.toMicros(answeredNanos - sentNanos);
      latencies.served(micros);
      series.latency(clock.epochMillis(answeredNanos), micros);
      respond(sentNanos, answeredNanos);
    }
    dues.clear();
  }

  private void respond(long sentNanos, long answeredNanos) {
    for (long due : dues.isEmpty() ? List.of(sentNanos) : dues) {
      latencies.responded(TimeUnit.NANOSECONDS.toMicros(answeredNanos - due));
    }
  }

  /** Puts what was answered since the last time into the second that it is now. */
  void count(long epochMillis) {
    series.answered(epochMillis, tally.operations() - counted);
    counted = tally.operations();
  }

  /**
   * All of it.
   *
   * @param failure null when the client came to its end
   */
  ClientResult result(Assignment assignment, long begunNanos, long endedNanos, String failure) {
    return new ClientResult(
        assignment,
        tally.counts(),
        new Times(
            clock.epochMillis(begunNanos), clock.epochMillis(endedNanos), endedNanos - begunNanos),
        latencies,
        series,
        failure);
  }
}
