package org.grampus.perf.command;

import java.nio.file.Path;
import java.util.Random;
import org.grampus.compat.suite.Violations;
import org.grampus.perf.ToolException;
import picocli.CommandLine.Option;

/** What the checks with several servers share: two options, and the failure for violations. */
final class ClusterOptions {
  @Option(
      names = "--seed",
      description =
          "Seed of what is left to chance: faults, and what clients do. Default: the clock")
  private Long seed;

  @Option(
      names = "--dir",
      description =
          "An empty directory for the servers' files; it is kept. Default: a directory that is"
              + " deleted at the end.")
  private Path directory;

  /** What is left to chance in a check, which says its seed. */
  Random random(String check) {
    long chosen = seed == null ? System.nanoTime() : seed;
    System.out.println(check + ": seed " + chosen);
    return new Random(chosen);
  }

  /** The directory of the servers: the one that was named, or another. */
  Path directoryOr(Path other) {
    return directory == null ? other : directory;
  }

  /** Fails when there is a violation. */
  static void requireNone(Violations violations) throws ToolException {
    if (violations.count() > 0) {
      throw new ToolException(violations.count() + " violations, which stand above");
    }
  }
}
