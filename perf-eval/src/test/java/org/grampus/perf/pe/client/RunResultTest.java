package org.grampus.perf.pe.client;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.grampus.perf.pe.measure.Counts;
import org.grampus.perf.pe.measure.Latencies;
import org.grampus.perf.pe.measure.RowCounts;
import org.grampus.perf.pe.measure.Series;
import org.grampus.perf.pe.option.Share;
import org.junit.jupiter.api.Test;

final class RunResultTest {
  private static ClientResult client(int number, long operations, RowCounts rows, Times times) {
    return new ClientResult(
        new Assignment(number, new Share(0, 10), 10),
        new Counts(operations, rows, 0, 0),
        times,
        new Latencies(0),
        new Series());
  }

  private static ClientResult done(int number, long first, long last) {
    return client(
        number, 10, new RowCounts(10, 10, 0), new Times(first, last, (last - first) * 1_000_000));
  }

  private static RunResult run(long operations, RowCounts rows) {
    return RunResult.of(List.of(client(0, operations, rows, new Times(0, 1, 1_000_000))));
  }

  @Test
  void theWallClockGoesFromTheFirstRequestToTheLastAnswer() {
    RunResult run = RunResult.of(List.of(done(0, 1000, 3000), done(1, 2000, 6000)));

    assertEquals(5000, run.times().millis());
    assertEquals(4.0, run.operationsPerSecond());
  }

  @Test
  void aRunThatDidWhatItWasAskedHasNoFailure() {
    assertEquals(List.of(), run(10, new RowCounts(10, 10, 0)).failures(false));
  }

  @Test
  void missingRowsAreAFailureUnlessTheyAreAllowed() {
    RunResult run = run(10, new RowCounts(10, 7, 3));

    assertEquals(List.of("rows asked: 10, read or written: 7, missing: 3"), run.failures(false));
    assertEquals(List.of(), run.failures(true));
  }

  @Test
  void rowsThatNobodyAskedForAreAFailureInAnyCase() {
    RunResult run = run(10, new RowCounts(10, 11, 0));

    assertEquals(1, run.failures(false).size());
    assertEquals(1, run.failures(true).size());
  }

  @Test
  void writesThatNobodyAcknowledgedAreAFailure() {
    assertEquals(
        List.of("rows asked: 10, read or written: 8, missing: 0", "client 0 did 8 of 10"),
        run(8, new RowCounts(10, 8, 0)).failures(false));
  }
}
