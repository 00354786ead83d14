package org.grampus.compat.suite.snapshot;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;

/**
 * Lets the flushes and compactions of a region fail for a while: a file takes the place of the
 * directory in which a region begins its files. Only for Grampus, which tries again; a region
 * server of HBase ends when a flush fails. No region may be closed meanwhile. One thread.
 */
final class BlockedFlushes {
  // A region's part in a snapshot is tried three times, a second apart.
  private static final int BLOCK_MILLIS_MIN = 700;
  private static final int BLOCK_MILLIS_MORE = 900;

  /** What the engine says of a flush that failed, in the server's log. */
  private static final String FAILED_FLUSH = "flush of region .* failed after [0-9]+ ms: .*";

  private final Path table;
  private final Path log;
  private final Random random;

  /**
   * Of a table's regions.
   *
   * @param rootDir HBase's root directory, a local one
   * @param log what the server prints
   */
  BlockedFlushes(Path rootDir, TableName table, Path log, Random random) {
    this.table =
        rootDir
            .resolve("data")
            .resolve(table.getNamespaceAsString())
            .resolve(table.getQualifierAsString());
    this.log = log;
    this.random = random;
  }

  /** Blocks a region for about a second. */
  void blockForAboutASecond(RegionInfo region) throws IOException, InterruptedException {
    Path directory = table.resolve(region.getEncodedName());
    Path temporary = directory.resolve(".tmp");
    Path aside = directory.resolve(".tmp-aside");
    try {
      Files.move(temporary, aside);
    } catch (NoSuchFileException e) {
      return; // nothing is being written, or the region was split away
    }
    try {
      Files.createFile(temporary);
      Thread.sleep(BLOCK_MILLIS_MIN + random.nextInt(BLOCK_MILLIS_MORE));
    } finally {
      Files.deleteIfExists(temporary);
      delete(aside); // an engine makes the directories that it misses
    }
  }

  private static void delete(Path directory) throws IOException {
    try (Stream<Path> below = Files.walk(directory)) {
      below.sorted(Comparator.reverseOrder()).forEach(BlockedFlushes::deleteOne);
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  private static void deleteOne(Path path) {
    try {
      Files.deleteIfExists(path);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** How many flushes have failed, by the server's log. */
  long failed() throws IOException {
    try (Stream<String> lines = Files.lines(log)) {
      return lines.filter(line -> line.matches(".*" + FAILED_FLUSH)).count();
    }
  }
}
