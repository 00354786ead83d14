package org.grampus.perf.pe.option;

import picocli.CommandLine.Option;

/** How rows are written. */
public final class WriteOptions {
  static final long BUFFER_BYTES = 2L << 20;

  @Option(
      names = "--autoFlush",
      arity = "0..1",
      fallbackValue = "true",
      description = "A call for each write instead of a buffer. Default: false")
  private boolean autoFlush;

  @Option(
      names = "--writeToWAL",
      arity = "0..1",
      fallbackValue = "true",
      description = "Set writeToWAL on puts. Default: true",
      defaultValue = "true")
  private boolean writeToWal;

  @Option(
      names = "--multiPut",
      paramLabel = "N",
      description =
          "Batch puts together into groups of N. Only supported by write. If multiPut is bigger"
              + " than 0, autoFlush need to set to true. Default: 0",
      defaultValue = "0")
  private int multiPut;

  @Option(
      names = "--bufferSize",
      paramLabel = "BYTES",
      description = "Set the value of client side buffering. Default: 2097152")
  private Long bufferBytes;

  public boolean autoFlush() {
    return autoFlush;
  }

  public boolean writeToWal() {
    return writeToWal;
  }

  /** 0: none. */
  public int multiPut() {
    return multiPut;
  }

  /** Null when not given. */
  public Long bufferBytes() {
    return bufferBytes;
  }
}
