package org.grampus.server.daemon;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
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

  /** Is asked to stop at once, and fails to. */
  static final class WithFullDisk {
    private WithFullDisk() {}

    public static void main(String[] args) {
      new DaemonRunner()
          .run(
              runner -> {
                runner.stop().make("asked by a test");
                return () -> {
                  throw new IOException("the disk is full");
                };
              });
    }
  }

  /** Is asked to stop at once, as by an administrator, and waits for a disk that is gone. */
  static final class WithHungDisk {
    private WithHungDisk() {}

    public static void main(String[] args) {
      new DaemonRunner(Duration.ofMillis(1))
          .run(
              runner -> {
                runner.stop().make("asked by a test");
                return () -> new CountDownLatch(1).await();
              });
    }
  }

  /** The same while it starts. */
  static final class WithHungStart {
    private WithHungStart() {}

    public static void main(String[] args) {
      new DaemonRunner(Duration.ofMillis(1))
          .run(
              runner -> {
                runner.stop().make("asked by a test");
                new CountDownLatch(1).await();
                return () -> {};
              });
    }
  }

  /** Runs a program to its end, which has to come. */
  private static String run(Class<?> program, int exitCode)
      throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                program.getName())
            .redirectErrorStream(true)
            .start();
    try {
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertTrue(process.waitFor(END_SECONDS, TimeUnit.SECONDS), "the process stays");
      assertEquals(exitCode, process.exitValue(), output);
      return output;
    } finally {
      process.destroyForcibly();
    }
  }

  @Test
  void a_machine_without_native_library_ends_the_process_with_a_sentence()
      throws IOException, InterruptedException {
    String output = run(WithoutLibrary.class, 1);
    assertTrue(output.contains("cannot start: no library for this machine"), output);
  }

  @Test
  void a_stop_ends_in_any_case_whatever_it_was_asked_for_by()
      throws IOException, InterruptedException {
    run(WithHungDisk.class, 1);
    run(WithHungStart.class, 1);
  }

  @Test
  void a_stop_that_fails_is_no_orderly_one() throws IOException, InterruptedException {
    String output = run(WithFullDisk.class, 1);
    assertFalse(output.contains("stopped"), output);
  }
}
