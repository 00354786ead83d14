package org.grampus.perf.compare;

import static org.grampus.perf.compare.Fixture.run;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

final class RatioIntervalTest {
  private static RatioInterval interval(double... ratios) {
    List<Pairs> rounds =
        DoubleStream.of(ratios)
            .mapToObj(
                ratio ->
                    new Pairs(
                        List.of(run("grampus", "get", 1, 10 * ratio)),
                        List.of(run("hbase", "get", 1, 10))))
            .toList();
    return RatioInterval.of(rounds, Pairs::ratio);
  }

  /** t(0.975, 2) = 4.3027, so e^(± 4.3027 ln 2 / √3). */
  @Test
  void roundsThatDifferSayLittle() {
    assertEquals("0.18 - 5.59", interval(0.5, 1, 2).toString());
  }

  @Test
  void roundsThatAreAlikeSayWhatTheyAre() {
    assertEquals(1.1, interval(1.1, 1.1, 1.1).from(), 1e-9);
    assertEquals(1.1, interval(1.1, 1.1, 1.1).to(), 1e-9);
  }

  @Test
  void figureThatWasNotMeasuredHasNone() {
    assertEquals(Double.NaN, interval(1, Double.NaN, 1).from());
  }
}
