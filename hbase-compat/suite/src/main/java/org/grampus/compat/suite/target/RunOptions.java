package org.grampus.compat.suite.target;

import java.nio.file.Path;
import java.util.Map;
import picocli.CommandLine.Option;

/** What every run against one server is told: the server's kind, its directory and the seed. */
public final class RunOptions {
  @Option(
      names = "--target",
      defaultValue = "grampus",
      description = "grampus or hbase. Default: ${DEFAULT-VALUE}")
  private String target;

  @Option(names = "--seed", description = "Seed of all chance. Default: the clock")
  private Long seed;

  @Option(names = "--dir", required = true, description = "A fresh directory for the server.")
  private Path directory;

  public ServerKind kind() {
    return ServerKind.of(target);
  }

  /** The seed; of a run that was given none, the same at each call. */
  public long seed() {
    if (seed == null) {
      seed = System.nanoTime();
    }
    return seed;
  }

  public Path directory() {
    return directory;
  }

  /** The server under test, not started yet, on ports that are free. */
  public ServerProcess server(Map<String, String> settings) {
    return new ServerProcess(kind(), directory, Ports.free(), settings);
  }
}
