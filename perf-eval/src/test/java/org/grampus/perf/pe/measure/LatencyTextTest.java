package org.grampus.perf.pe.measure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.codahale.metrics.Histogram;
import com.codahale.metrics.UniformReservoir;
import java.util.List;
import java.util.stream.LongStream;
import org.apache.hadoop.hbase.util.YammerHistogramUtils;
import org.junit.jupiter.api.Test;

final class LatencyTextTest {
  private final Latencies ours = new Latencies(0);
  private final Histogram stock = YammerHistogramUtils.newHistogram(new UniformReservoir(100));

  private void add(long micros) {
    ours.add(micros, micros);
    stock.update(micros);
  }

  @Test
  void aValueIsWrittenAsHBaseWritesIt() {
    add(17);

    assertEquals(YammerHistogramUtils.getHistogramReport(stock), LatencyText.line(ours.service()));
    assertEquals(
        YammerHistogramUtils.getShortHistogramReport(stock), LatencyText.brief(ours.service()));
    assertEquals(
        YammerHistogramUtils.getPrettyHistogramReport(stock), LatencyText.block(ours.service()));
  }

  @Test
  void noValueIsWrittenAsHBaseWritesIt() {
    assertEquals(YammerHistogramUtils.getHistogramReport(stock), LatencyText.line(ours.service()));
    assertEquals(
        YammerHistogramUtils.getShortHistogramReport(stock), LatencyText.brief(ours.service()));
    assertEquals(
        YammerHistogramUtils.getPrettyHistogramReport(stock), LatencyText.block(ours.service()));
  }

  private void addThousand() {
    LongStream.rangeClosed(1, 1000).forEach(this::add);
  }

  @Test
  void eachFigureIsItsOwn() {
    addThousand();

    assertEquals(
        "mean=500.50, min=1.00, max=1000.00, stdDev=288.67, 50th=500.00, 75th=750.00, 95th=950.00,"
            + " 99th=990.00, 99.9th=999.00, 99.99th=1000.00, 99.999th=1000.00",
        LatencyText.line(ours.service()));
    assertEquals(
        "mean=500.50, min=1.00, max=1000.00, stdDev=288.67, 95th=950.00, 99th=990.00",
        LatencyText.brief(ours.service()));
    assertEquals(
        List.of(
            "Mean      = 500.50",
            "Min       = 1.00",
            "Max       = 1000.00",
            "StdDev    = 288.67",
            "50th      = 500.00",
            "75th      = 750.00",
            "95th      = 950.00",
            "99th      = 990.00",
            "99.9th    = 999.00",
            "99.99th   = 1000.00",
            "99.999th  = 1000.00"),
        LatencyText.block(ours.service()).lines().toList());
  }

  @Test
  void manyValuesHaveTheNamesAndPlacesOfHBase() {
    addThousand();

    assertEquals(
        shape(YammerHistogramUtils.getHistogramReport(stock)),
        shape(LatencyText.line(ours.service())));
    assertEquals(
        shape(YammerHistogramUtils.getShortHistogramReport(stock)),
        shape(LatencyText.brief(ours.service())));
    assertEquals(
        shape(YammerHistogramUtils.getPrettyHistogramReport(stock)),
        shape(LatencyText.block(ours.service())));
  }

  private static String shape(String report) {
    return report.replaceAll("= ?\\d+\\.\\d\\d\\b", "=N");
  }

  @Test
  void timesFromTheDueMomentAreKeptApart() {
    Latencies latencies = new Latencies(2);
    latencies.add(2_000, 9_000);
    latencies.add(1_999, 1_999);

    assertEquals(1, latencies.overThreshold());
    assertTrue(latencies.service().valuesAreEquivalent(2_000, latencies.service().getMaxValue()));
    assertTrue(latencies.response().valuesAreEquivalent(9_000, latencies.response().getMaxValue()));
  }
}
