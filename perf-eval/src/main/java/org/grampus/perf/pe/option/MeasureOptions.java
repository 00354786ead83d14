package org.grampus.perf.pe.option;

import java.nio.file.Path;
import picocli.CommandLine.Option;

/** What is measured and shown. */
public final class MeasureOptions {
  @Option(
      names = "--period",
      paramLabel = "ROWS",
      description = "Report every 'period' rows. Default: a tenth of the rows of a client",
      defaultValue = "0")
  private long period;

  @Option(
      names = "--measureAfter",
      paramLabel = "ROWS",
      description =
          "Start to measure the latency once 'measureAfter' rows have been treated. Default: 0",
      defaultValue = "0")
  private long measureAfter;

  @Option(
      names = "--latencyThreshold",
      paramLabel = "MS",
      description =
          "Report the number of operations with a latency of MS or more. Default: 0, none",
      defaultValue = "0")
  private long latencyThresholdMillis;

  @Option(
      names = "--report",
      paramLabel = "DIR",
      description =
          "A new directory for result.json, series.csv, latency.hlog (HdrHistogram) and"
              + " throughput.svg, latency.svg, percentiles.svg")
  private Path report;

  /** 0 when not given. */
  public long period() {
    return period;
  }

  public long measureAfter() {
    return measureAfter;
  }

  public long latencyThresholdMillis() {
    return latencyThresholdMillis;
  }

  /** Null when not given. */
  public Path report() {
    return report;
  }
}
