package org.grampus.perf.result;

import java.nio.file.Path;
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

  /** That of a directory. */
  public static Commit of(Path directory) throws InterruptedException {
    String home = directory.toString();
    try {
      String id = new HostCommand("git", "-C", home, "rev-parse", "HEAD").run().trim();
      String changes = new HostCommand("git", "-C", home, "status", "--porcelain").run();
      return new Commit(id, !changes.isBlank());
    } catch (ToolException e) {
      System.err.println("grampus: the result names no commit: " + e.getMessage());
      return UNKNOWN;
    }
  }
}
