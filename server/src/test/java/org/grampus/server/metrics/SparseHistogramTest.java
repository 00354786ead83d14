package org.grampus.server.metrics;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.LongStream;
import org.apache.hadoop.hbase.metrics.Snapshot;
import org.apache.hadoop.hbase.metrics.impl.HistogramImpl;
import org.junit.jupiter.api.Test;

class SparseHistogramTest {
  private final SparseHistogram histogram = new SparseHistogram();

  private void update(long from, long to) {
    LongStream.range(from, to).forEach(histogram::update);
  }

  private static List<Long> numbers(Snapshot snapshot) {
    List<Long> numbers =
        new ArrayList<>(
            List.of(snapshot.getCount(), snapshot.getMin(), snapshot.getMax(), snapshot.getMean()));
    LongStream.of(snapshot.getQuantiles()).forEach(numbers::add);
    return numbers;
  }

  @Test
  void oneWithoutValuesLooksLikeHBasesAndHasNoCounters() {
    assertEquals(numbers(new HistogramImpl().snapshot()), numbers(histogram.snapshot()));
    assertEquals(0, histogram.getCount());
    assertFalse(histogram.isDense());
  }

  @Test
  void fewValuesAreThereUntilTheSnapshotAndCountedForGood() {
    update(1, 6);
    assertEquals(5, histogram.getCount());
    Snapshot taken = histogram.snapshot();

    assertEquals(List.of(5L, 1L, 5L, 3L), numbers(taken).subList(0, 4));
    assertEquals(3.0, (double) taken.getMedian(), 1.0);
    assertEquals(0, histogram.snapshot().getCount());
    assertEquals(5, histogram.getCount());
    assertFalse(histogram.isDense());
  }

  @Test
  void valuesAreFewInEachIntervalAnew() {
    for (int interval = 0; interval < 3; interval++) {
      update(0, SparseHistogram.FEW_MAX);
      assertEquals(SparseHistogram.FEW_MAX, histogram.snapshot().getCount());
    }
    assertEquals(3 * SparseHistogram.FEW_MAX, histogram.getCount());
    assertFalse(histogram.isDense());
  }

  @Test
  void manyValuesAreHBasesHistogramFromThenOn() {
    update(0, 10);
    histogram.snapshot();
    HistogramImpl stock = new HistogramImpl();
    LongStream.range(0, 1000).forEach(stock::update);
    update(0, 1000);

    assertTrue(histogram.isDense());
    assertEquals(1010, histogram.getCount());
    assertArrayEquals(
        stock.getQuantiles(new double[] {0.5}), histogram.getQuantiles(new double[] {0.5}));
    assertEquals(numbers(stock.snapshot()), numbers(histogram.snapshot()));
    update(7, 8);
    assertEquals(1, histogram.snapshot().getCount());
    assertEquals(1011, histogram.getCount());
  }

  @Test
  void negativeValuesAreCountedAloneAsInHBase() {
    histogram.update(-1L);

    assertEquals(1, histogram.getCount());
    assertEquals(0, histogram.snapshot().getCount());
  }

  @Test
  void noValueOfManyThreadsIsLostOnTheWay() throws InterruptedException {
    int each = 3 * SparseHistogram.FEW_MAX;
    CountDownLatch begin = new CountDownLatch(1);
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      Thread thread =
          new Thread(
              () -> {
                awaitQuietly(begin);
                update(0, each);
              });
      thread.start();
      threads.add(thread);
    }
    begin.countDown();
    for (Thread thread : threads) {
      thread.join();
    }
    assertEquals(8L * each, histogram.getCount());
    assertEquals(8L * each, histogram.snapshot().getCount());
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
