package org.grampus.perf.process;

import java.io.IOException;

/** Metrics as Prometheus scrapes them. */
public final class PrometheusText {
  private PrometheusText() {}

  /**
   * The number of a metric, in its first series.
   *
   * @throws IOException when there is none of the name
   */
  public static double value(String text, String name) throws IOException {
    return text.lines()
        .filter(line -> line.startsWith(name + "{") || line.startsWith(name + " "))
        .map(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .findFirst()
        .orElseThrow(() -> new IOException("no " + name + " among the metrics"));
  }
}
