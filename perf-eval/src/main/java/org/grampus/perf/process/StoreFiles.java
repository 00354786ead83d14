package org.grampus.perf.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.grampus.perf.ToolException;

/**
 * The store files of a table: REGION/FAMILY/FILE below its directory.
 *
 * @param table the table's directory
 */
record StoreFiles(Path table) {
  private static final long DEADLINE_SECONDS = 60;
  private static final long POLL_MILLIS = 200;

  /** Waits until there is one; returns its bytes. */
  long awaitOne() throws ToolException, IOException, InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(DEADLINE_SECONDS);
    while (true) {
      List<Path> files = list();
      if (files.size() == 1) {
        return Files.size(files.get(0));
      }
      if (System.nanoTime() > deadline) {
        throw new ToolException(
            table.getFileName()
                + " has "
                + files.size()
                + " store files "
                + DEADLINE_SECONDS
                + " s after its major compaction, and not one");
      }
      Thread.sleep(POLL_MILLIS);
    }
  }

  private List<Path> list() throws IOException {
    List<Path> files = new ArrayList<>();
    try (Stream<Path> regions = Files.list(table)) {
      for (Path region : regions.filter(Files::isDirectory).toList()) {
        addFiles(region, files);
      }
    }
    return files;
  }

  private static void addFiles(Path region, List<Path> files) throws IOException {
    try (Stream<Path> families = Files.list(region)) {
      for (Path family : families.filter(StoreFiles::isFamily).toList()) {
        try (Stream<Path> found = Files.list(family)) {
          found.filter(Files::isRegularFile).forEach(files::add);
        }
      }
    }
  }

  /** A region also has directories of its own, such as .tmp and recovered.edits. */
  private static boolean isFamily(Path directory) {
    return Files.isDirectory(directory) && !directory.getFileName().toString().contains(".");
  }
}
