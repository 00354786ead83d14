package org.grampus.perf.pe.client;

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

  /** Service times until now. */
  Histogram micros() {
    return latencies.service();
  }

  /** Measures a request, if it was one and the rows that are not measured are past. */
  void measure(Step step, long sentNanos, long dueNanos, long answeredNanos) {
    boolean isSent = step == Step.SENT || step == Step.LAST;
    if (isSent && treated > measureAfter) {
      long micros = TimeUnit.NANOSECONDS.toMicros(answeredNanos - sentNanos);
      latencies.add(micros, TimeUnit.NANOSECONDS.toMicros(answeredNanos - dueNanos));
      series.latency(clock.epochMillis(answeredNanos), micros);
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
