package org.grampus.perf.jobs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.file.Files;
import java.nio.file.Path;
import org.grampus.perf.ToolException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DocumentedCommandsTest {
  private static final String PAGE =
      """
      # Page
      ```sh
      not this
      ```
      ## Jobs
      Text.
      ```sh
      a $X
      ```
      ```java
      not.this();
      ```
      ```sh
      b \\
        c
      ```
      ## Others
      ```sh
      nor this
      ```
      """;

  @TempDir private Path directory;

  private Path page() throws Exception {
    return Files.writeString(directory.resolve("page.md"), PAGE);
  }

  @Test
  void commandsOfOneSectionAreOneProgramInTheirOrder() throws Exception {
    assertEquals(
        "set -euo pipefail\na $X\nb \\\n  c\n", DocumentedCommands.of(page(), "Jobs").script());
  }

  @Test
  void aSectionWithoutCommandsIsAnError() throws Exception {
    Path page = page();

    assertThrows(ToolException.class, () -> DocumentedCommands.of(page, "Nothing"));
  }
}
