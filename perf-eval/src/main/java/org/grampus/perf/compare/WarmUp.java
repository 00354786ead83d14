package org.grampus.perf.compare;

import java.io.IOException;
import org.grampus.perf.ToolException;
import org.grampus.perf.result.Run;

/** A row's requests before those that count: until a server's compilers know them. */
record WarmUp(Row row, Sizes sizes, Effort effort) {
  /** Runs the row's work. */
  @FunctionalInterface
  interface Requests {
    /** A run of about this number of operations. */
    Run run(long operations) throws ToolException, IOException, InterruptedException;
  }

  /** A run that is cheaper by less says that the compilers have done their part. */
  private static final double STEADY = 0.95;

  private static final int REPEATS_MAX = 4;

  /** Returns the server's processor time for an operation of the last run, in µs. */
  double take(Requests requests) throws ToolException, IOException, InterruptedException {
    long next = row.work().firstOperations(sizes);
    long done = 0;
    double seconds = 0;
    double micros = 0;
    while (next > 0) {
      Run run = requests.run(next);
      done += run.operations();
      seconds += (Double) run.figures().get(Measurement.SECONDS);
      micros = run.serverMicrosPerOperation();
      next = effort.moreToWarm(done, seconds);
    }
    return effort.isWarmByTime() ? micros : steady(requests, done, micros);
  }

  /**
   * Repeats these operations while they get cheaper: a method is compiled in full once it has run
   * some ten thousand times, which on a slow machine are more than the first warm-up has.
   */
  private static double steady(Requests requests, long operations, double first)
      throws ToolException, IOException, InterruptedException {
    double micros = first;
    for (int repeat = 0; repeat < REPEATS_MAX; repeat++) {
      double next = requests.run(operations).serverMicrosPerOperation();
      if (next >= STEADY * micros) {
        return next;
      }
      micros = next;
    }
    return micros;
  }
}
