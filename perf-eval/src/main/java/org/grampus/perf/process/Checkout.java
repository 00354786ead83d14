package org.grampus.perf.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.grampus.perf.ToolException;

/**
 * The directory that the tool works in: the sources, with what was built from them.
 *
 * @param home absolute
 */
public record Checkout(Path home) {
  /** The one that {@code bin/grampus} names in {@code GRAMPUS_HOME}. */
  public static Checkout find() throws ToolException {
    String home = System.getenv("GRAMPUS_HOME");
    if (home == null || !Files.isExecutable(Path.of(home, "bin", "grampus"))) {
      throw new ToolException("GRAMPUS_HOME names no checkout; run the tool as bin/grampus perf");
    }
    return new Checkout(Path.of(home).toAbsolutePath());
  }

  /** The command of Grampus. It becomes the Java process that it starts. */
  public String grampus() {
    return home.resolve("bin/grampus").toString();
  }

  /** Whether a source is newer than what was built, or nothing was. */
  public boolean isStale() throws IOException {
    Path built = build().resolve("lib/.built");
    if (!Files.exists(built)) {
      return true;
    }
    return NewestSource.below(home) > Files.getLastModifiedTime(built).toMillis();
  }

  /** Where output goes that is not kept. */
  public Path build() {
    return home.resolve("build");
  }

  /** The data sets and results of measurements that are kept. */
  public Path perfEval() {
    return home.resolve("perf-eval");
  }
}
