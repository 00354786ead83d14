package org.grampus.perf.result;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import org.grampus.perf.ToolException;
import org.grampus.perf.process.HostCommand;

/**
 * The sources that were measured.
 *
 * @param id git's hash; "unknown" where the sources are no checkout
 * @param changed whether files differed from the commit, or were not in it
 */
public record Commit(String id, boolean changed) {
  private static final Commit UNKNOWN = new Commit("unknown", false);

  /** That of the installation which {@code bin/grampus} names. */
  public static Commit ofInstallation() throws IOException, InterruptedException {
    String home = System.getenv("GRAMPUS_HOME");
    return home == null ? UNKNOWN : of(Path.of(home));
  }

  /**
   * That of a checkout, or what a release says of itself in the file that {@code bin/dist} makes.
   */
  public static Commit of(Path directory) throws IOException, InterruptedException {
    Path release = directory.resolve("RELEASE");
    if (Files.exists(release)) {
      return new Commit(ofRelease(release), false);
    }
    String home = directory.toString();
    try {
      // A directory below the top of a checkout is none; its files are perhaps of no commit.
      if (!new HostCommand("git", "-C", home, "rev-parse", "--show-prefix").run().isBlank()) {
        return UNKNOWN;
      }
      String id = new HostCommand("git", "-C", home, "rev-parse", "HEAD").run().trim();
      String changes = new HostCommand("git", "-C", home, "status", "--porcelain").run();
      return new Commit(id, !changes.isBlank());
    } catch (ToolException e) {
      System.err.println("grampus: the result names no commit: " + e.getMessage());
      return UNKNOWN;
    }
  }

  private static String ofRelease(Path file) throws IOException {
    Properties said = new Properties();
    try (Reader reader = Files.newBufferedReader(file)) {
      said.load(reader);
    }
    return said.getProperty("commit", UNKNOWN.id);
  }
}
