package org.grampus.perf.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.grampus.perf.ToolException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DaemonTest {
  @TempDir Path directory;

  private Daemon shell(String script) {
    return new Daemon("shell", directory, List.of("sh", "-c", script), Map.of("WORD", "said"));
  }

  @Test
  void isStartedAgainWithItsLog() throws Exception {
    Daemon daemon = shell("echo $WORD; exec sleep 60");
    for (int start = 1; start <= 2; start++) {
      daemon.start();
      assertTrue(daemon.runs());
      daemon.require();
      int lines = start;
      Await.until(
          "its line", List.of(daemon), () -> Files.readAllLines(daemon.log()).size() == lines);
      daemon.kill();
      assertFalse(daemon.runs());
    }
    assertEquals(List.of("said", "said"), Files.readAllLines(daemon.log()));
    ToolException ended = assertThrows(ToolException.class, daemon::require);
    assertTrue(ended.getMessage().contains("shell has ended"), ended.getMessage());
  }

  @Test
  void hearsTheEndWhilePaused() throws Exception {
    Daemon daemon = shell("exec sleep 60");
    daemon.start();
    daemon.pause();
    daemon.terminate();
    assertTrue(daemon.awaitEnd(60));
    daemon.start();
    daemon.pause();
    Daemon.end(List.of(daemon));
    assertFalse(daemon.runs());
  }

  @Test
  void mustSucceedWhereThatIsAskedFor() throws Exception {
    Daemon good = shell("exit 0");
    good.start();
    good.awaitSuccess();
    Daemon bad = shell("echo why; exit 3");
    bad.start();
    ToolException failed = assertThrows(ToolException.class, bad::awaitSuccess);
    assertTrue(failed.getMessage().contains("why"), failed.getMessage());
    assertEquals(3, bad.exitCode());
  }
}
