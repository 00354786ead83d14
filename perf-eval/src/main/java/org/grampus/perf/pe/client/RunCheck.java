package org.grampus.perf.pe.client;

import java.util.ArrayList;
import java.util.List;
import org.grampus.perf.pe.measure.Counts;

/** Compares what was done with what was asked for. */
final class RunCheck {
  private RunCheck() {}

  static List<String> failures(RunResult run, boolean allowMissing) {
    Counts counts = run.counts();
    List<String> failures = new ArrayList<>();
    long done = counts.rows().done();
    if (allowMissing ? done > run.rowsAsked() : done != run.rowsAsked()) {
      failures.add(
          "rows asked: "
              + run.rowsAsked()
              + ", read or written: "
              + done
              + ", missing: "
              + counts.rows().missing());
    }
    if (counts.wrong() > 0) {
      failures.add(
          counts.wrong()
              + " answers are not what was asked for, or not what a write test with the same options has"
              + " written");
    }
    for (ClientResult client : run.clients()) {
      long operations = client.counts().operations();
      if (operations != client.assignment().operations() && client.counts().rows().missing() == 0) {
        failures.add(
            "client "
                + client.client()
                + " did "
                + operations
                + " of "
                + client.assignment().operations());
      }
    }
    return failures;
  }
}
