package org.grampus.perf.pe.client;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.TimeUnit;
import org.grampus.perf.pe.chance.Chance;
import org.grampus.perf.pe.measure.Clock;
import org.grampus.perf.pe.measure.Pace;
import org.grampus.perf.pe.measure.Tally;
import org.grampus.perf.pe.option.Command;
import org.grampus.perf.pe.option.PeOptions;
import org.grampus.perf.pe.option.Trait;
import org.grampus.perf.pe.work.ClientConnection;
import org.grampus.perf.pe.work.RowTest;
import org.grampus.perf.pe.work.RowTest.Step;
import org.grampus.perf.pe.work.RowTestFactory;
import org.grampus.perf.pe.work.TestClient;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The work of one client: its rows one after the other, at a pace or as fast as answers come. For
 * one thread; an interrupt ends it between two rows.
 */
public final class ClientRun {
  private static final Logger LOG = LoggerFactory.getLogger(ClientRun.class);
  private static final int PERIODS = 10;

  private final TestClient.Task task;
  private final PeOptions options;
  private final ClientConnection connection;
  private final Clock clock;
  private final Status status;
  private final ClientRows rows;
  private final Recorder recorder;
  private final long period;

  /** Null: as fast as answers come. */
  private final Pace pace;

  private final int sleepMillis;
  private final Chance sleeps;
  private boolean begun;
  private long begunNanos;
  private long endedNanos;

  /**
   * A client's work.
   *
   * @param connection its connection, which stays the caller's
   * @param status takes its progress
   */
  public ClientRun(TestClient.Task task, ClientConnection connection, Clock clock, Status status) {
    this.task = task;
    this.options = task.options();
    this.connection = connection;
    this.clock = clock;
    this.status = status;
    this.rows = new ClientRows(task);
    this.recorder = new Recorder(options, clock);
    long given = options.measure().period();
    this.period = given > 0 ? given : Math.max(1, rows.count() / PERIODS);
    Double rate = options.pace().rate();
    this.pace = rate == null ? null : new Pace(rate, task.number(), options.clientCount());
    this.sleepMillis = isSleepy(options.command()) ? options.pace().randomSleepMillis() : 0;
    this.sleeps = new Chance(task.settings().seed()).of(-1).of(task.number());
  }

  private static boolean isSleepy(Command command) {
    return command.is(Trait.RANDOM)
        && (command.is(Trait.GET) || command == Command.META_RANDOM_READ);
  }

  /**
   * Does it. A client that fails has a result, too: what it did until then.
   *
   * @param start waited for when the client is ready and warm
   * @throws IOException when it fails before its measured work has begun
   */
  public ClientResult run(Start start) throws IOException, InterruptedException {
    warmUp();
    String failure = null;
    try (RowTest test = RowTestFactory.of(options)) {
      test.open(new TestClient(task, connection, recorder.tally(), clock));
      start.await();
      begin();
      work(test);
    } catch (Exception | Error e) { // an error of the user's class costs no results, either
      if (!begun) {
        throw e;
      }
      failure = failure(e);
    }
    return recorder.result(Assignment.of(options, task.number()), begunNanos, endedNanos, failure);
  }

  private void begin() {
    begun = true;
    begunNanos = clock.nanos();
    endedNanos = begunNanos;
  }

  private void work(RowTest test) throws IOException, InterruptedException {
    long cycles = options.rows().cycles();
    try {
      for (long cycle = 0; cycle < cycles; cycle++) {
        if (cycles > 1) {
          status.say("Cycle=" + cycle + " of " + cycles);
        }
        cycle(test, cycle);
      }
      finish(test);
    } finally {
      count();
      endedNanos = clock.nanos();
    }
  }

  /** The interrupt ends here: what is left to do is to bring the result home. */
  private String failure(Throwable e) {
    if (e instanceof InterruptedException || e instanceof InterruptedIOException) {
      LOG.info("Client {} was stopped", task.number());
      return ClientResult.STOPPED;
    }
    LOG.error("Client {} has failed", task.number(), e);
    return e.toString();
  }

  /** The same reads, which are not counted, in a test of their own. */
  private void warmUp() throws IOException, InterruptedException {
    long seconds = options.pace().warmupSeconds();
    if (seconds == 0 || !options.command().isRead()) {
      return;
    }
    long until = clock.nanos() + TimeUnit.SECONDS.toNanos(seconds);
    try (RowTest test = RowTestFactory.of(options)) {
      test.open(new TestClient(task, connection, new Tally(), clock));
      for (long n = 0; clock.nanos() < until; n++) {
        refuseInterrupt();
        test.row(rows.row(0, n % rows.count()));
      }
      test.finish();
    }
  }

  private void cycle(RowTest test, long cycle) throws IOException, InterruptedException {
    for (long n = 0; n < rows.count(); n++) {
      refuseInterrupt();
      sleep();
      Step step = request(test, rows.row(cycle, n));
      if (step == Step.LAST || step == Step.END) {
        return;
      }
      if (recorder.treated() % period == 0) {
        status.say(ProgressLine.of(rows.share(), rows.index(n), recorder.micros()));
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
    if (sleepMillis > 0) {
      long millis = sleeps.below(sleepMillis, recorder.treated());
      clock.sleepUntil(clock.nanos() + TimeUnit.MILLISECONDS.toNanos(millis));
    }
  }

  private Step request(RowTest test, long row) throws IOException, InterruptedException {
    awaitTurn();
    long sent = clock.nanos();
    Step step = test.row(row);
    long answered = clock.nanos();
    if (pace == null) {
      recorder.treat();
    } else {
      recorder.treat(due());
    }
    recorder.measure(step, sent, answered);
    test.afterRow();
    count();
    return step;
  }

  private void awaitTurn() throws InterruptedException {
    if (pace != null) {
      clock.sleepUntil(due());
    }
  }

  /** When the row is due that comes next. */
  private long due() {
    return begunNanos + pace.dueNanos(recorder.treated());
  }

  private void finish(RowTest test) throws IOException, InterruptedException {
    long sent = clock.nanos();
    Step step = test.finish();
    recorder.measure(step, sent, clock.nanos());
  }

  private void count() {
    recorder.count(clock.epochMillis(clock.nanos()));
  }
}
