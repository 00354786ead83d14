package org.grampus.perf.pe.client;

import java.util.ArrayList;
import java.util.List;
import org.grampus.perf.pe.measure.Counts;

/** Compares what was done with what was asked for. */
final class RunCheck {
  private RunCheck() {}

  static List<String> failures(RunResult run, boolean allowMissing) {
    List<String> failures = new ArrayList<>(run.errors());
    clients(run, failures);
    if (run.isPartial()) {
      failures.add("the results are partial: " + run.extent() + " were answered");
    } else {
      rows(run, allowMissing, failures);
      operations(run, failures);
    }
    if (run.counts().wrong() > 0) {
      failures.add(
          run.counts().wrong()
              + " answers are not what was asked for, or not what a write test with the same options has"
              + " written");
    }
    return failures;
  }

  private static void clients(RunResult run, List<String> failures) {
    long stopped = 0;
    for (ClientResult client : run.clients()) {
      if (ClientResult.STOPPED.equals(client.failure())) {
        stopped++;
      } else if (!client.isWhole()) {
        failures.add("client " + client.client() + " has failed: " + client.failure());
      }
    }
    if (stopped > 0) {
      failures.add(stopped + " other clients were stopped");
    }
  }

  private static void rows(RunResult run, boolean allowMissing, List<String> failures) {
    Counts counts = run.counts();
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
  }

  private static void operations(RunResult run, List<String> failures) {
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
  }
}
