package org.grampus.perf.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * What must be gone when the tool has ended, whether it succeeded, failed or was interrupted: the
 * processes below it, and files that were announced. A shutdown hook does it, so only SIGKILL of
 * the tool leaves something behind.
 */
public final class Leftovers {
  private static final long STOP_SECONDS = 30;
  private static final long KILL_SECONDS = 5;
  private static final int ROUNDS_MAX = 3;
  private static final Set<Path> FILES = ConcurrentHashMap.newKeySet();
  private static volatile boolean removing;

  private Leftovers() {}

  /** Adds the shutdown hook; once, at the start of the tool. */
  public static void removeAtEnd() {
    Runtime.getRuntime().addShutdownHook(new Thread(Leftovers::remove, "leftovers"));
  }

  /** Creates a directory below {@code build/} that goes at the end, with all that is in it. */
  public static Path directory(Checkout checkout, String name) throws IOException {
    Files.createDirectories(checkout.build());
    return announce(Files.createTempDirectory(checkout.build(), name + "."));
  }

  /** Announces a file or directory that goes at the end, whether it is there yet or not. */
  public static Path announce(Path path) {
    FILES.add(path);
    return path;
  }

  /** Whether the tool ends: nothing is to be started any more. */
  static boolean areRemoved() {
    return removing;
  }

  private static void remove() {
    removing = true;
    // The tool's other threads go on, and may start one more while the others end.
    List<ProcessHandle> processes = ProcessHandle.current().descendants().toList();
    for (int round = 0; round < ROUNDS_MAX && !processes.isEmpty(); round++) {
      endProcesses(processes);
      processes = ProcessHandle.current().descendants().toList();
    }
    for (Path path : FILES) {
      try {
        delete(path);
      } catch (IOException | UncheckedIOException e) {
        System.err.println("grampus: could not remove " + path + ": " + e);
      }
    }
  }

  /** SIGTERM for all at once, so that servers stop in order; SIGKILL for what goes on. */
  private static void endProcesses(List<ProcessHandle> processes) {
    processes.forEach(ProcessHandle::destroy);
    awaitEnd(processes, STOP_SECONDS);
    processes.forEach(ProcessHandle::destroyForcibly);
    awaitEnd(processes, KILL_SECONDS);
  }

  private static void awaitEnd(List<ProcessHandle> processes, long seconds) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    try {
      while (processes.stream().anyMatch(ProcessHandle::isAlive) && System.nanoTime() < deadline) {
        Thread.sleep(50);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // then they are killed at once
    }
  }

  /** Deletes a file or a directory with all that is in it; nothing where there is none. */
  public static void delete(Path path) throws IOException {
    if (!Files.exists(path)) {
      return;
    }
    Files.walkFileTree(
        path,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.deleteIfExists(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path directory, IOException failure)
              throws IOException {
            if (failure != null) {
              throw failure;
            }
            Files.deleteIfExists(directory);
            return FileVisitResult.CONTINUE;
          }
        });
  }
}
