package org.grampus.perf.pe.option;

import picocli.CommandLine.Option;

/**
 * Options that scripts may give and that mean nothing, in HBase 2.6 neither; {@link Effects} says
 * so.
 */
@SuppressWarnings("UnusedVariable") // they are parsed, and that is all
final class IgnoredOptions {
  @Option(
      names = "--latency",
      arity = "0..1",
      fallbackValue = "true",
      description = "Without effect: latencies are always reported")
  private boolean latency;

  @Option(names = "--traceRate", paramLabel = "N", description = "Without effect, as in HBase 2.6")
  private double traceRate;

  @Option(
      names = "--flushCommits",
      arity = "0..1",
      fallbackValue = "true",
      description = "Without effect, as in HBase 2.6: buffers are always flushed at the end")
  private boolean flushCommits;
}
