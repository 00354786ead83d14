package org.grampus.perf.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.grampus.perf.ToolException;

/** A directory that servers have for themselves. */
public final class EmptyDirectory {
  private EmptyDirectory() {}

  /**
   * Creates it where it is missing; returns it.
   *
   * @throws ToolException when there is something in it: what an earlier run has left would be
   *     taken for this one's
   */
  public static Path create(Path directory) throws ToolException, IOException {
    Files.createDirectories(directory);
    try (Stream<Path> files = Files.list(directory)) {
      if (files.findAny().isPresent()) {
        throw new ToolException(directory + " is not empty; name a new directory");
      }
    }
    return directory;
  }
}
