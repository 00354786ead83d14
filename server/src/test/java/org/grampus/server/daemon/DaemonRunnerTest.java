package org.grampus.server.daemon;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** How a daemon ends that does not come up. Each runs in a process of its own, since it halts. */
class DaemonRunnerTest {
  private static final long END_SECONDS = 60;

  /** Starts a thread that would keep the process up, then fails like a missing native library. */
  static final class WithoutLibrary {
    private WithoutLibrary() {}

    public static void main(String[] args) {
      new DaemonRunner()
          .run(
              runner -> {
                new Thread(WithoutLibrary::stay, "stays").start();
                throw new UnsatisfiedLinkError("no library for this machine");
              });
    }

    private static void stay() {
      try {
        new CountDownLatch(1).await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  @Test
  void a_machine_without_native_library_ends_the_process_with_a_sentence()
      throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                WithoutLibrary.class.getName())
            .redirectErrorStream(true)
            .start();
    try {
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertTrue(process.waitFor(END_SECONDS, TimeUnit.SECONDS), "the process stays");
      assertTrue(output.contains("cannot start: no library for this machine"), output);
      assertEquals(1, process.exitValue());
    } finally {
      process.destroyForcibly();
    }
  }
}
