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
    return micros;
  }
}
