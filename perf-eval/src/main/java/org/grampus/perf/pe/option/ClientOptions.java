package org.grampus.perf.pe.option;

import picocli.CommandLine.Option;

/** Where clients run, and how they are connected. */
public final class ClientOptions {
  @Option(
      names = "--nomapred",
      arity = "0..1",
      fallbackValue = "true",
      description = "Run multiple clients using threads (rather than use mapreduce)")
  private boolean threads;

  @Option(
      names = "--oneCon",
      arity = "0..1",
      fallbackValue = "true",
      description = "All the threads share the same connection. Default: false")
  private boolean oneConnection;

  @Option(
      names = "--connCount",
      paramLabel = "N",
      description = "Connections that the threads share. Default: one for each thread",
      defaultValue = "0")
  private int connections;

  @Option(
      names = "--mappersPerServer",
      paramLabel = "N",
      description =
          "scan with mapreduce: N mappers for each server that has some of the rows, on"
              + " splits of equal bytes, instead of a mapper for each client",
      defaultValue = "0")
  private int mappersPerServer;

  @Option(
      names = "--direct",
      arity = "0..1",
      fallbackValue = "true",
      description =
          "scan with mapreduce: mappers read the table's files through a snapshot, and ask no"
              + " server")
  private boolean direct;

  /** Whether clients are threads of this process, and not tasks of a job. */
  public boolean threads() {
    return threads;
  }

  public boolean oneConnection() {
    return oneConnection;
  }

  /** 0 when not given. */
  public int connections() {
    return connections;
  }

  /** 0 when not given. */
  public int mappersPerServer() {
    return mappersPerServer;
  }

  public boolean direct() {
    return direct;
  }
}
