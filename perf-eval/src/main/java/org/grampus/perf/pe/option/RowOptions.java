package org.grampus.perf.pe.option;

import java.math.BigDecimal;
import picocli.CommandLine.Option;

/** Which rows a test uses, and how often. */
public final class RowOptions {
  @Option(
      names = "--rows",
      paramLabel = "N",
      description =
          "Rows each client runs. Default: 1048576. With randomRead and randomSeekScan it can stand"
              + " beside --size: so many rows within the range of that size")
  private Long rows;

  @Option(
      names = "--size",
      paramLabel = "GB",
      description =
          "Total size in GB of 1,000 MiB, as HBase has it, instead of --rows; fractions count")
  private BigDecimal size;

  @Option(
      names = "--startRow",
      paramLabel = "N",
      description =
          "First row; when it is not 0, of every client, threads and tasks alike. Default: 0, and"
              + " each client goes on where the one before it ends",
      defaultValue = "0")
  private long startRow;

  @Option(
      names = "--sampleRate",
      paramLabel = "RATE",
      description = "Part of the rows that is used, above 0, at most 1. Default: 1.0",
      defaultValue = "1")
  private BigDecimal sampleRate;

  @Option(
      names = "--cycles",
      paramLabel = "N",
      description = "How many times to cycle the test. Default: 1",
      defaultValue = "1")
  private long cycles;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "Order of random tests. Default: by the clock; it is printed")
  private Long seed;

  @Option(
      names = "--repeatKeys",
      arity = "0..1",
      fallbackValue = "true",
      description =
          "Random tests draw each row anew, so that some come often and some never, as HBase's"
              + " class does. Default: each row once")
  private boolean repeatKeys;

  /** Rows of each client; null when not given. */
  public Long rows() {
    return rows;
  }

  /** GB of all clients; null when not given. */
  public BigDecimal size() {
    return size;
  }

  public long startRow() {
    return startRow;
  }

  public BigDecimal sampleRate() {
    return sampleRate;
  }

  public long cycles() {
    return cycles;
  }

  /** Null when not given. */
  public Long seed() {
    return seed;
  }

  public boolean repeatKeys() {
    return repeatKeys;
  }
}
