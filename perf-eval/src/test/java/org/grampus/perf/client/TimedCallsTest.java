package org.grampus.perf.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class TimedCallsTest {
  private final ExecutorService pool = Executors.newFixedThreadPool(2);

  @AfterEach
  void end() {
    pool.shutdownNow();
  }

  private static Histogram latencies(long... micros) {
    Histogram histogram = new Histogram(3);
    for (long latency : micros) {
      histogram.recordValue(latency);
    }
    return histogram;
  }

  private static void fail() throws IOException {
    throw new IOException("no answer");
  }

  @Test
  void callIsMadeAndTimedAsOftenAsIsAsked() throws IOException {
    AtomicInteger made = new AtomicInteger();

    Histogram micros = TimedCalls.repeat(7, made::incrementAndGet);

    assertEquals(7, made.get());
    assertEquals(7, micros.getTotalCount());
  }

  @Test
  void latenciesOfAllThreadsAreOne() throws Exception {
    List<Callable<Histogram>> threads = List.of(() -> latencies(10, 20), () -> latencies(30));

    TimedCalls calls = TimedCalls.of(pool, threads);

    assertEquals(3, calls.micros().getTotalCount());
    assertEquals(30, calls.micros().getMaxValue());
  }

  @Test
  void callThatFailsInOneThreadIsAFailureOfAll() {
    Callable<Histogram> good = () -> latencies(10);
    Callable<Histogram> failing = () -> TimedCalls.repeat(1, TimedCallsTest::fail);

    for (List<Callable<Histogram>> threads :
        List.of(List.of(good, failing), List.of(failing, good))) {
      ExecutionException failure =
          assertThrows(ExecutionException.class, () -> TimedCalls.of(pool, threads));
      assertEquals("no answer", failure.getCause().getMessage());
    }
  }
}
