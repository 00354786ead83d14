package org.grampus.perf.pe.measure;

import java.util.Locale;
import java.util.StringJoiner;
import org.HdrHistogram.Histogram;

/** Latencies as {@code YammerHistogramUtils} of HBase writes them. */
public final class LatencyText {
  private static final double[] PERCENTILES = {50, 75, 95, 99, 99.9, 99.99, 99.999};
  private static final String[] NAMES = {
    "50th", "75th", "95th", "99th", "99.9th", "99.99th", "99.999th"
  };

  private LatencyText() {}

  /** Some figures on a line. */
  public static String brief(Histogram micros) {
    StringJoiner line = moments(micros);
    line.add("95th=" + number((double) micros.getValueAtPercentile(95)));
    line.add("99th=" + number((double) micros.getValueAtPercentile(99)));
    return line.toString();
  }

  /** All figures on a line. */
  public static String line(Histogram micros) {
    StringJoiner line = moments(micros);
    for (int i = 0; i < NAMES.length; i++) {
      line.add(NAMES[i] + "=" + number((double) micros.getValueAtPercentile(PERCENTILES[i])));
    }
    return line.toString();
  }

  private static StringJoiner moments(Histogram micros) {
    StringJoiner line = new StringJoiner(", ");
    line.add("mean=" + number(mean(micros)));
    line.add("min=" + number((double) micros.getMinValue()));
    line.add("max=" + number((double) micros.getMaxValue()));
    line.add("stdDev=" + number(deviation(micros)));
    return line;
  }

  /** A line for each figure. */
  public static String block(Histogram micros) {
    StringJoiner block = new StringJoiner("\n");
    block.add(figure("Mean", mean(micros)));
    block.add(figure("Min", (double) micros.getMinValue()));
    block.add(figure("Max", (double) micros.getMaxValue()));
    block.add(figure("StdDev", deviation(micros)));
    for (int i = 0; i < NAMES.length; i++) {
      block.add(figure(NAMES[i], (double) micros.getValueAtPercentile(PERCENTILES[i])));
    }
    return block.toString();
  }

  private static double mean(Histogram micros) {
    return micros.getTotalCount() == 0 ? 0 : micros.getMean();
  }

  private static double deviation(Histogram micros) {
    return micros.getTotalCount() == 0 ? 0 : micros.getStdDeviation();
  }

  private static String figure(String name, double value) {
    return String.format(Locale.ROOT, "%-9s = %.2f", name, value);
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.2f", value);
  }
}
