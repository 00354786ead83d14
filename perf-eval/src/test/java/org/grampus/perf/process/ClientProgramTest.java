package org.grampus.perf.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import org.grampus.perf.ToolException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ClientProgramTest {
  @TempDir private Path directory;

  @Test
  void clientOfADeadServerIsNotAwaited() {
    ClientProgram client = new ClientProgram(List.of("sleep", "1000")).whileRuns(() -> false);

    ToolException failure =
        assertThrows(ToolException.class, () -> client.run(directory.resolve("log")));

    assertTrue(failure.getMessage().startsWith("the server of sleep 1000 has ended"));
  }

  @Test
  void clientThatTakesTooLongIsEnded() {
    ClientProgram client = new ClientProgram(List.of("sleep", "1000")).within(1);
    Path log = directory.resolve("log");
    ToolException failure = assertThrows(ToolException.class, () -> client.run(log));
    assertTrue(failure.getMessage().contains("takes longer than 1 s"), failure.getMessage());
  }

  @Test
  void clientThatEndsHasSaidSomething() throws Exception {
    ClientProgram client = new ClientProgram(List.of("echo", "done")).whileRuns(() -> true);

    assertEquals("done\n", client.run(directory.resolve("log")).output());
  }
}
