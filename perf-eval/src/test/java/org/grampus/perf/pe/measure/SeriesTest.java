package org.grampus.perf.pe.measure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

final class SeriesTest {
  private static List<Long> operations(Series series) {
    return series.intervals().values().stream().map(Interval::operations).toList();
  }

  @Test
  void aStallIsEmptySecondsAndNoThroughput() {
    Series series = new Series();
    series.answered(10_100, 5);
    series.answered(14_900, 7);

    assertEquals(List.of(5L, 0L, 0L, 0L, 7L), operations(series));
    assertEquals(
        List.of(10_000L, 11_000L, 12_000L, 13_000L, 14_000L),
        List.copyOf(series.intervals().keySet()));
  }

  @Test
  void clientsAddUpSecondBySecond() {
    Series one = new Series();
    one.answered(1_000, 1);
    one.latency(1_000, 10);
    Series two = new Series();
    two.answered(1_500, 2);
    two.latency(1_500, 30);
    two.answered(2_000, 4);

    one.add(two);

    assertEquals(List.of(3L, 4L), operations(one));
    assertEquals(2, one.intervals().get(1_000L).micros().getTotalCount());
  }

  @Test
  void longRunsHaveLongerIntervalsAndLoseNothing() {
    Series series = new Series();
    long seconds = 10L * Series.INTERVALS_MAX;
    for (long second = 0; second < seconds; second++) {
      series.answered(second * 1000, 1);
    }

    assertTrue(series.intervals().size() <= Series.INTERVALS_MAX);
    assertEquals(16_000, series.millis());
    assertEquals(seconds, operations(series).stream().mapToLong(Long::longValue).sum());
  }

  @Test
  void manyClientsHaveFewerIntervals() {
    Series series = Series.ofOneOf(1000);
    for (long second = 0; second < 1000; second++) {
      series.answered(second * 1000, 1);
    }

    assertTrue(series.intervals().size() <= 66, () -> series.intervals().size() + " intervals");
    assertEquals(1000, operations(series).stream().mapToLong(Long::longValue).sum());
  }

  @Test
  void timesMayGoBack() {
    Series series = new Series();
    series.answered(2_000, 1);
    series.answered(1_000, 2);
    series.answered(2_000, 4);

    assertEquals(List.of(2L, 5L), operations(series));
  }

  @Test
  void intervalsOfOtherLengthsAddUp() {
    Series coarse = new Series(4_000);
    coarse.answered(5_000, 1);
    Series fine = new Series();
    fine.answered(5_000, 2);
    fine.answered(8_000, 4);

    fine.add(coarse);

    assertEquals(4_000, fine.millis());
    assertEquals(List.of(3L, 4L), operations(fine));
  }
}
