package org.grampus.perf.pe.option;

import picocli.CommandLine.Option;

/** How fast clients ask. */
public final class PaceOptions {
  @Option(
      names = "--rate",
      paramLabel = "N",
      description =
          "Operations of all clients in a second. Latencies then count from the moment at which an"
              + " operation was due, too. Default: as fast as answers come")
  private Double rate;

  @Option(
      names = "--warmup",
      paramLabel = "SECONDS",
      description = "Seconds of reads before the measured run, as fast as answers come. Default: 0",
      defaultValue = "0")
  private long warmupSeconds;

  @Option(
      names = "--randomSleep",
      paramLabel = "MS",
      description =
          "Do a random sleep before each get between 0 and entered value (random reads alone)."
              + " Default: 0",
      defaultValue = "0")
  private int randomSleepMillis;

  /** Operations in a second; null: no limit. */
  public Double rate() {
    return rate;
  }

  public long warmupSeconds() {
    return warmupSeconds;
  }

  public int randomSleepMillis() {
    return randomSleepMillis;
  }
}
