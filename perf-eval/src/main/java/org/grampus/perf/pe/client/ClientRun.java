package org.grampus.perf.pe.client;

import java.io.IOException;
import java.math.BigDecimal;
import java.util.concurrent.TimeUnit;
import org.grampus.perf.pe.chance.Chance;
import org.grampus.perf.pe.key.RowOrder;
import org.grampus.perf.pe.key.Sample;
import org.grampus.perf.pe.measure.Clock;
import org.grampus.perf.pe.measure.Latencies;
import org.grampus.perf.pe.measure.Pace;
import org.grampus.perf.pe.measure.Series;
import org.grampus.perf.pe.measure.Tally;
import org.grampus.perf.pe.option.Command;
import org.grampus.perf.pe.option.PeOptions;
import org.grampus.perf.pe.option.RowPlan;
import org.grampus.perf.pe.option.Share;
import org.grampus.perf.pe.option.Trait;
import org.grampus.perf.pe.work.Links;
import org.grampus.perf.pe.work.RowTest;
import org.grampus.perf.pe.work.RowTest.Step;
import org.grampus.perf.pe.work.RowTests;
import org.grampus.perf.pe.work.TestClient;

/**
 * The work of one client: its rows one after the other, at a pace or as fast as answers come. For
 * one thread; an interrupt ends it between two rows.
 */
public final class ClientRun {
  private static final int PERIODS = 10;

  private final TestClient.Task task;
  private final PeOptions options;
  private final Links links;
  private final Clock clock;
  private final Status status;
  private final Share share;
  private final Sample sample;
  private final long cycleRows;
  private final long period;
  private final RowOrder order;

  /** Keys that repeat are drawn anew in each cycle. */
  private final long cycleOffset;

  private final Pace pace;
  private final Chance sleeps;

  private final Tally tally = new Tally();
  private final Latencies latencies;
  private final Series series = new Series();
  private long begunNanos;
  private long treated;

  /**
   * A client's work.
   *
   * @param links its connection, which stays the caller's
   * @param status takes its progress
   */
  public ClientRun(TestClient.Task task, Links links, Clock clock, Status status) {
    this.task = task;
    this.options = task.options();
    this.links = links;
    this.clock = clock;
    this.status = status;
    this.share = task.share();
    this.sample = new Sample(sampleRate());
    this.cycleRows = sample.count(share.rows());
    this.period = period();
    this.order = order();
    boolean redraws = options.command().is(Trait.RANDOM) && options.rows().repeatKeys();
    this.cycleOffset = redraws ? RowPlan.of(options).asked() : 0;
    Double rate = options.pace().rate();
    this.pace = rate == null ? null : new Pace(rate, task.number(), options.clientCount());
    this.sleeps = new Chance(task.settings().seed()).of(-1).of(task.number());
    this.latencies = new Latencies(options.measure().latencyThresholdMillis());
  }

  private BigDecimal sampleRate() {
    return options.command().is(Trait.SCAN) ? BigDecimal.ONE : options.rows().sampleRate();
  }

  private long period() {
    long given = options.measure().period();
    return given > 0 ? given : Math.max(1, cycleRows / PERIODS);
  }

  private RowOrder order() {
    Command command = options.command();
    if (!command.is(Trait.RANDOM)) {
      return RowOrder.sequential();
    }
    long rows = command == Command.META_RANDOM_READ ? share.rows() : RowPlan.of(options).total();
    Chance chance = new Chance(task.settings().seed());
    return options.rows().repeatKeys()
        ? RowOrder.drawn(rows, chance)
        : RowOrder.permuted(rows, chance);
  }

  /**
   * Does it.
   *
   * @param start waited for when the client is ready and warm
   */
  public ClientResult run(Start start) throws IOException, InterruptedException {
    warmUp();
    try (RowTest test = RowTests.of(options)) {
      test.open(new TestClient(task, links, tally, clock));
      start.await();
      begunNanos = clock.nanos();
      for (long cycle = 0; cycle < options.rows().cycles(); cycle++) {
        if (options.rows().cycles() > 1) {
          status.say("Cycle=" + cycle + " of " + options.rows().cycles());
        }
        cycle(test, cycle);
      }
      finish(test);
      return result(clock.nanos());
    }
  }

  private ClientResult result(long endedNanos) {
    return new ClientResult(
        task.number(),
        share,
        cycleRows * options.rows().cycles(),
        tally.counts(),
        new Times(
            clock.epochMillis(begunNanos), clock.epochMillis(endedNanos), endedNanos - begunNanos),
        latencies,
        series);
  }

  /** The same reads, which are not counted, in a test of their own. */
  private void warmUp() throws IOException, InterruptedException {
    long seconds = options.pace().warmupSeconds();
    if (seconds == 0 || !options.command().isRead()) {
      return;
    }
    long until = clock.nanos() + TimeUnit.SECONDS.toNanos(seconds);
    try (RowTest test = RowTests.of(options)) {
      test.open(new TestClient(task, links, new Tally(), clock));
      long n = 0;
      while (clock.nanos() < until) {
        refuseInterrupt();
        test.row(row(0, n % cycleRows));
        n++;
        status.alive(clock.epochMillis(clock.nanos()));
      }
      test.finish();
    }
  }

  private long row(long cycle, long n) {
    long index = share.start() + sample.index(n);
    return order.row(index + cycle * cycleOffset);
  }

  private void cycle(RowTest test, long cycle) throws IOException, InterruptedException {
    for (long n = 0; n < cycleRows; n++) {
      refuseInterrupt();
      sleep();
      Step step = request(test, row(cycle, n));
      if (step == Step.LAST || step == Step.END) {
        return;
      }
      if (treated % period == 0) {
        status.say(ProgressLine.of(share, sample.index(n), latencies.service()));
      }
    }
  }

  private static void refuseInterrupt() throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException("another client has failed");
    }
  }

  /** Before a row is due, so that the pace stays. */
  private void sleep() throws InterruptedException {
    int bound = options.pace().randomSleepMillis();
    Command command = options.command();
    boolean isSleepy =
        command.is(Trait.RANDOM) && (command.is(Trait.GET) || command == Command.META_RANDOM_READ);
    if (bound > 0 && isSleepy) {
      long millis = sleeps.below(bound, treated);
      clock.sleepUntil(clock.nanos() + TimeUnit.MILLISECONDS.toNanos(millis));
    }
  }

  private Step request(RowTest test, long row) throws IOException, InterruptedException {
    long due = begunNanos;
    if (pace != null) {
      due += pace.dueNanos(treated);
      clock.sleepUntil(due);
    }
    long before = tally.operations();
    long sent = clock.nanos();
    Step step = test.row(row);
    treated++;
    answered(step, before, sent, pace == null ? sent : due);
    return step;
  }

  private void finish(RowTest test) throws IOException, InterruptedException {
    long before = tally.operations();
    long sent = clock.nanos();
    answered(test.finish(), before, sent, sent);
  }

  private void answered(Step step, long before, long sent, long due) {
    long now = clock.nanos();
    long epochMillis = clock.epochMillis(now);
    status.alive(epochMillis);
    series.answered(epochMillis, tally.operations() - before);
    boolean isSent = step == Step.SENT || step == Step.LAST;
    if (isSent && treated > options.measure().measureAfter()) {
      long micros = TimeUnit.NANOSECONDS.toMicros(now - sent);
      latencies.add(micros, TimeUnit.NANOSECONDS.toMicros(now - due));
      series.latency(epochMillis, micros);
    }
  }
}
