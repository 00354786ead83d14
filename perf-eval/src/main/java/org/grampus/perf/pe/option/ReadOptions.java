package org.grampus.perf.pe.option;

import org.apache.hadoop.hbase.client.Scan;
import picocli.CommandLine.Option;

/** How rows are read. */
public final class ReadOptions {
  @Option(
      names = "--filterAll",
      arity = "0..1",
      fallbackValue = "true",
      description =
          "Helps to filter out all the rows on the server side there by not returning any thing back"
              + " to the client. Needs HBase's FilterAllFilter on the server")
  private boolean filterAll;

  @Option(
      names = "--multiGet",
      paramLabel = "N",
      description =
          "Batch gets together into groups of N. Only supported by randomRead and asyncRandomRead."
              + " Default: disabled",
      defaultValue = "0")
  private int multiGet;

  @Option(
      names = "--addColumns",
      arity = "0..1",
      fallbackValue = "true",
      description = "Adds columns to scans/gets explicitly. Default: true",
      defaultValue = "true")
  private boolean addColumns;

  @Option(
      names = "--caching",
      paramLabel = "ROWS",
      description =
          "Scan caching to use. Default: hbase.client.scanner.caching if it is set, or 30")
  private Integer caching;

  @Option(
      names = "--asyncPrefetch",
      arity = "0..1",
      fallbackValue = "true",
      description = "Enable asyncPrefetch for scan")
  private boolean asyncPrefetch;

  @Option(
      names = "--cacheBlocks",
      arity = "0..1",
      fallbackValue = "true",
      description = "Set the cacheBlocks option for scan. Default: true",
      defaultValue = "true")
  private boolean cacheBlocks;

  @Option(
      names = "--scanReadType",
      paramLabel = "TYPE",
      description = "Set the readType option for scan, stream/pread/default. Default: default",
      defaultValue = "DEFAULT")
  private Scan.ReadType readType;

  @Option(
      names = "--verify",
      arity = "0..1",
      fallbackValue = "true",
      description =
          "Fail when a value is not what a write test with the same value options has written")
  private boolean verify;

  @Option(
      names = "--allowMissing",
      arity = "0..1",
      fallbackValue = "true",
      description = "Do not fail when rows are not there; they are counted")
  private boolean allowMissing;

  public boolean filterAll() {
    return filterAll;
  }

  /** 0: none. */
  public int multiGet() {
    return multiGet;
  }

  public boolean addColumns() {
    return addColumns;
  }

  /** Null when not given. */
  public Integer caching() {
    return caching;
  }

  public boolean asyncPrefetch() {
    return asyncPrefetch;
  }

  public boolean cacheBlocks() {
    return cacheBlocks;
  }

  public Scan.ReadType readType() {
    return readType;
  }

  public boolean verify() {
    return verify;
  }

  public boolean allowMissing() {
    return allowMissing;
  }
}
