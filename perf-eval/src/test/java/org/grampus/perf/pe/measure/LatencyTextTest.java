package org.grampus.perf.pe.measure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.codahale.metrics.Histogram;
import com.codahale.metrics.UniformReservoir;
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
