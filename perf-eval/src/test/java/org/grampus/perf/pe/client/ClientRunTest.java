package org.grampus.perf.pe.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import org.apache.hadoop.conf.Configuration;
import org.grampus.perf.pe.measure.FakeClock;
import org.grampus.perf.pe.measure.Latencies;
import org.grampus.perf.pe.option.EffectiveSettings;
import org.grampus.perf.pe.option.PeOptions;
import org.grampus.perf.pe.work.RowTest;
import org.grampus.perf.pe.work.RowTestFactory;
import org.grampus.perf.pe.work.TestClient;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class ClientRunTest {
  private static final FakeClock CLOCK = new FakeClock();
  private static final List<Long> ROWS = new ArrayList<>();
  private static final List<String> SAID = new ArrayList<>();

  /** Takes ten milliseconds for each row, and a second for the fourth. */
  public static final class Slow extends RowTest {
    private TestClient client;

    @Override
    public void open(TestClient ofTest) {
      client = ofTest;
    }

    @Override
    public Step row(long row) {
      ROWS.add(row);
      CLOCK.pass(row == 3 ? 1000 : 10);
      client.tally().ask(1);
      client.tally().answered(1);
      client.tally().rows(1);
      return Step.SENT;
    }
  }

  /** Sends four rows in a call of ten milliseconds, and what is left at the end. */
  public static final class Batched extends RowTest {
    private int kept;

    @Override
    public void open(TestClient client) {}

    @Override
    public Step row(long row) {
      kept++;
      return kept < 4 ? Step.KEPT : finish();
    }

    @Override
    public Step finish() {
      CLOCK.pass(10);
      kept = 0;
      return Step.SENT;
    }
  }

  /** Fails at its sixth row. */
  public static final class Breaking extends RowTest {
    private TestClient client;

    @Override
    public void open(TestClient ofTest) throws IOException {
      client = ofTest;
      if (client.options().rows().rows() == 1) {
        throw new IOException("it does not open");
      }
    }

    @Override
    public Step row(long row) throws IOException {
      CLOCK.pass(10);
      if (row == 5) {
        throw new IOException("no row 5");
      }
      client.tally().ask(1);
      client.tally().answered(1);
      client.tally().rows(1);
      return Step.SENT;
    }
  }

  /** Cannot be closed. */
  public static final class Stuck extends RowTest {
    @Override
    public void open(TestClient client) {}

    @Override
    public Step row(long row) {
      return Step.SENT;
    }

    @Override
    public void close() throws IOException {
      throw new IOException("it does not close");
    }
  }

  @BeforeEach
  void forget() {
    ROWS.clear();
    SAID.clear();
  }

  private static ClientResult run(Class<? extends RowTest> test, String options)
      throws IOException, InterruptedException {
    PeOptions parsed = PeOptions.parse(List.of((options + " " + test.getName() + " 1").split(" ")));
    EffectiveSettings settings = new EffectiveSettings(parsed, new Configuration(false), 1);
    TestClient.Task task = new TestClient.Task(parsed, settings.calls(), new Properties(), 0);
    return new ClientRun(task, null, CLOCK, SAID::add).run(Start.AT_ONCE);
  }

  @Test
  void allRowsAreTakenAndMeasured() throws Exception {
    ClientResult result = run(Slow.class, "--rows=6 --startRow=2");

    assertEquals(List.of(2L, 3L, 4L, 5L, 6L, 7L), ROWS);
    assertEquals(6, result.latencies().service().getTotalCount());
    assertEquals(1050, result.times().millis());
    assertEquals(6, result.counts().rows().done());
  }

  @Test
  void rowsBehindASlowOneWaitAtARate() throws Exception {
    ClientResult result = run(Slow.class, "--rows=20 --rate=20");

    assertTrue(result.latencies().service().getValueAtPercentile(95) < 11_000);
    assertTrue(result.latencies().response().getValueAtPercentile(90) > 700_000);
  }

  @Test
  void rowsThatWaitForOthersOfTheirBatchWaitFromWhenTheyWereDue() throws Exception {
    Latencies latencies = run(Batched.class, "--rows=6 --rate=10").latencies();

    assertEquals(2, latencies.service().getTotalCount());
    assertTrue(latencies.service().valuesAreEquivalent(10_000, latencies.service().getMaxValue()));
    // due at 0, 100, 200, 300 and answered at 310; due at 400, 500 and answered at 510
    assertEquals(6, latencies.response().getTotalCount());
    assertTrue(
        latencies.response().valuesAreEquivalent(310_000, latencies.response().getMaxValue()));
    double mean = (310_000 + 210_000 + 110_000 + 10_000 + 110_000 + 10_000) / 6.0;
    assertEquals(mean, latencies.response().getMean(), mean / 1000);
  }

  @Test
  void aBatchWithoutARateHasOneTime() throws Exception {
    Latencies latencies = run(Batched.class, "--rows=6").latencies();

    assertEquals(latencies.service(), latencies.response());
    assertEquals(2, latencies.response().getTotalCount());
  }

  @Test
  void aRateIsKept() throws Exception {
    ClientResult result = run(Slow.class, "--rows=3 --rate=20");

    assertEquals(110, result.times().millis());
  }

  @Test
  void rowsBeforeMeasureAfterAreNotMeasured() throws Exception {
    assertEquals(
        2, run(Slow.class, "--rows=6 --measureAfter=4").latencies().service().getTotalCount());
  }

  @Test
  void aSampleReportsItsProgress() throws Exception {
    run(Slow.class, "--rows=100 --sampleRate=0.1 --period=5");

    assertEquals(10, ROWS.size());
    assertEquals(
        2, SAID.stream().filter(line -> line.startsWith("row [start=0, current=")).count());
  }

  @Test
  void cyclesTakeTheRowsAgain() throws Exception {
    ClientResult result = run(Slow.class, "--rows=2 --cycles=2");

    assertEquals(List.of(0L, 1L, 0L, 1L), ROWS);
    assertEquals(4, result.assignment().operations());
  }

  @Test
  void aStallIsInTheSeries() throws Exception {
    ClientResult result = run(Slow.class, "--rows=6");

    assertEquals(
        6, result.series().intervals().values().stream().mapToLong(one -> one.operations()).sum());
    assertTrue(result.series().intervals().size() >= 2);
  }

  @Test
  void aTestThatDoesNotCloseFails() throws Exception {
    ClientResult result = run(Stuck.class, "--rows=1");

    assertEquals("java.io.IOException: it does not close", result.failure());
    assertEquals(1, result.latencies().service().getTotalCount());
  }

  @Test
  void whatWasDoneUntilAFailureIsNotLost() throws Exception {
    ClientResult result = run(Breaking.class, "--rows=10");

    assertEquals("java.io.IOException: no row 5", result.failure());
    assertEquals(5, result.counts().operations());
    assertEquals(10, result.assignment().operations());
    assertEquals(60, result.times().millis());
    assertEquals(5, result.latencies().service().getTotalCount());
  }

  @Test
  void aClientThatDoesNotBeginHasNoResult() {
    assertThrows(IOException.class, () -> run(Breaking.class, "--rows=1"));
  }

  @Test
  void aClassThatIsNoTestIsRefused() {
    assertThrows(
        IllegalArgumentException.class, () -> RowTestFactory.classOf(String.class.getName()));
    assertThrows(IllegalArgumentException.class, () -> RowTestFactory.classOf("no.such.Test"));
  }
}
