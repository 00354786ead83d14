package org.grampus.perf.pe.client;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import org.grampus.perf.pe.measure.Counts;
import org.grampus.perf.pe.measure.Latencies;
import org.grampus.perf.pe.measure.RowCounts;
import org.grampus.perf.pe.measure.Series;
import org.grampus.perf.pe.option.PeOptions;
import org.grampus.perf.pe.option.Share;
import org.junit.jupiter.api.Test;

final class RunResultTest {
  private static ClientResult client(int number, long operations, RowCounts rows, Times times) {
    return client(number, operations, rows, times, null);
  }

  private static ClientResult client(
      int number, long operations, RowCounts rows, Times times, String failure) {
    return new ClientResult(
        new Assignment(number, new Share(0, 10), 10),
        new Counts(operations, rows, 0, 0, 0),
        times,
        new Latencies(0),
        new Series(),
        failure);
  }

  private static ClientResult failed(int number, long operations, String failure) {
    return client(
        number, operations, new RowCounts(10, operations, 0), new Times(0, 1, 1_000_000), failure);
  }

  private static RunResult of(List<ClientResult> clients, String... errors) {
    PeOptions options = PeOptions.parse(List.of("--rows=10", "randomRead", "" + clients.size()));
    return RunResult.of(options, clients, List.of(errors));
  }

  private static ClientResult done(int number, long first, long last) {
    return client(
        number, 10, new RowCounts(10, 10, 0), new Times(first, last, (last - first) * 1_000_000));
  }

  private static RunResult run(long operations, RowCounts rows) {
    return of(List.of(client(0, operations, rows, new Times(0, 1, 1_000_000))));
  }

  @Test
  void theWallClockGoesFromTheFirstRequestToTheLastAnswer() {
    RunResult run = of(List.of(done(0, 1000, 3000), done(1, 2000, 6000)));

    assertEquals(5000, run.times().millis());
    assertEquals(4.0, run.operationsPerSecond());
  }

  @Test
  void ratesOfClientsThatRanTogetherAddUp() {
    Together together = of(List.of(done(0, 1000, 3000), done(1, 2000, 7000))).together();

    assertEquals(new Together(2, 5.0 + 2.0), together);
  }

  @Test
  void ratesOfClientsThatRanOneAfterTheOtherDoNot() {
    List<ClientResult> twoSlots =
        List.of(done(0, 0, 1000), done(1, 0, 2000), done(2, 1000, 2000), done(3, 2000, 2500));

    assertEquals(new Together(1, 20.0), of(twoSlots).together());
    assertEquals(new Together(2, 10.0 + 5.0), of(twoSlots.subList(0, 3)).together());
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
  void rowsThatWereNotAskedForAreAFailureInAnyCase() {
    RunResult run = run(10, new RowCounts(10, 11, 0));

    assertEquals(1, run.failures(false).size());
    assertEquals(1, run.failures(true).size());
  }

  @Test
  void writesThatWereNotAcknowledgedAreAFailure() {
    assertEquals(
        List.of("rows asked: 10, read or written: 8, missing: 0", "client 0 did 8 of 10"),
        run(8, new RowCounts(10, 8, 0)).failures(false));
  }

  @Test
  void aClientThatFailsMakesTheResultsPartial() {
    RunResult run =
        of(List.of(done(0, 0, 1), failed(1, 4, "it broke"), failed(2, 9, ClientResult.STOPPED)));

    assertTrue(run.isPartial());
    assertEquals(
        List.of(
            "client 1 has failed: it broke",
            "1 other clients were stopped",
            "the results are partial: 23 of 30 operations were answered"),
        run.failures(true));
  }

  @Test
  void aRunOfWhichNothingIsKnownHasNoResults() {
    assertDoesNotThrow(() -> of(List.of(failed(0, 1, "it broke"))).requireAnswers());
    IOException thrown =
        assertThrows(
            IOException.class, () -> of(List.of(failed(0, 0, "it broke")), "so").requireAnswers());
    assertTrue(
        thrown.getMessage().startsWith("so; client 0 has failed: it broke"), thrown.getMessage());
  }
}
