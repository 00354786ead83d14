package org.grampus.perf.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.grampus.perf.ToolException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class EmptyDirectoryTest {
  @TempDir private Path temporary;

  @Test
  void oneThatIsMissingIsCreated() throws Exception {
    Path directory = temporary.resolve("a/b");
    assertEquals(directory, EmptyDirectory.create(directory));
    assertTrue(Files.isDirectory(directory));
  }

  @Test
  void oneWithAFileIsRefused() throws Exception {
    Files.createFile(temporary.resolve("file"));
    assertThrows(ToolException.class, () -> EmptyDirectory.create(temporary));
  }
}
