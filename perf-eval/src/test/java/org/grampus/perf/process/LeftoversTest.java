package org.grampus.perf.process;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LeftoversTest {
  @TempDir private Path directory;

  @Test
  void directoryGoesWithWhatIsInIt() throws IOException {
    Path all = Files.createDirectories(directory.resolve("a/b"));
    Files.writeString(all.resolve("file"), "x");
    Files.createSymbolicLink(directory.resolve("a/link"), directory);

    Leftovers.delete(directory.resolve("a"));

    assertFalse(Files.exists(directory.resolve("a")));
    assertTrue(Files.exists(directory));
  }

  @Test
  void whatIsNotThereNeedsNoDeleting() throws IOException {
    Leftovers.delete(directory.resolve("nothing"));
  }
}
