package org.grampus.server.daemon;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.grampus.server.region.LocalRegion;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * How a daemon ends that does not come up, or not end in order. Each runs in a process of its own,
 * since it halts.
 */
class DaemonRunnerTest {
  private static final long END_SECONDS = 60;
  private static final Duration END_MAX = Duration.ofSeconds(END_SECONDS);

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

  /** Serves, and is asked to stop when a file lies where the region of hbase:meta was. */
  static final class WithoutRegionDirectory {
    private WithoutRegionDirectory() {}

    public static void main(String[] args) {
      Path data = Path.of(args[0]);
      new DaemonRunner()
          .run(
              runner -> {
                Standalone standalone =
                    Standalone.start(anyPorts(), data, runner::abort, runner.stop());
                replaceByFile(data.resolve("hbase/data/hbase/meta/1588230740"));
                runner.stop().make("asked by a test");
                return standalone;
              });
    }

    private static Configuration anyPorts() {
      Configuration conf = HBaseConfiguration.create();
      conf.setInt(HConstants.ZOOKEEPER_CLIENT_PORT, 0);
      conf.setInt(HConstants.MASTER_PORT, 0);
      conf.setInt(HConstants.MASTER_INFO_PORT, -1);
      conf.setInt(HConstants.REGIONSERVER_PORT, 0);
      conf.setInt(HConstants.REGIONSERVER_INFO_PORT, -1);
      conf.set("hbase.regionserver.hostname", "localhost");
      return conf;
    }

    private static void replaceByFile(Path directory) {
      LocalRegion.delete(directory);
      try {
        Files.createFile(directory);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /** Is asked to stop at once, as by an administrator, and waits for a disk that is gone. */
  static final class WithHungDisk {
    private WithHungDisk() {}

    public static void main(String[] args) {
      new DaemonRunner(Duration.ofMillis(1), END_MAX)
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
      new DaemonRunner(Duration.ofMillis(1), END_MAX)
          .run(
              runner -> {
                runner.stop().make("asked by a test");
                new CountDownLatch(1).await();
                return () -> {};
              });
    }
  }

  /** Has to end at once, and its log takes no word, as on a disk that hangs. */
  static final class WithHungLog {
    private WithHungLog() {}

    public static void main(String[] args) {
      new DaemonRunner(END_MAX, Duration.ofMillis(1))
          .run(
              runner -> {
                runner.abort("asked by a test", new NeverTold());
                return () -> {};
              });
    }
  }

  /** A failure whose text never comes. */
  private static final class NeverTold extends Exception {
    private static final long serialVersionUID = 1;

    @Override
    public String getMessage() {
      while (true) {
        LockSupport.park();
      }
    }
  }

  /** Runs a program to its end, which has to come. */
  private static String run(Class<?> program, int exitCode, String... arguments)
      throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                program.getName()));
    command.addAll(List.of(arguments));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
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
  void a_fatal_end_comes_also_when_the_log_hangs() throws IOException, InterruptedException {
    run(WithHungLog.class, 1);
  }

  @Test
  void a_stop_that_cannot_close_a_region_is_no_orderly_one(@TempDir Path data)
      throws IOException, InterruptedException {
    String output = run(WithoutRegionDirectory.class, 1, data.toString());
    assertTrue(output.contains("not closed in order: regions, engine;"), output);
  }
}
