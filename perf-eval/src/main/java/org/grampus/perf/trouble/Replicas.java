package org.grampus.perf.trouble;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.grampus.perf.ToolException;

/**
 * Files of blocks below the directory of a data node ({@code
 * .../finalized/subdirN/subdirN/blk_ID}).
 *
 * @param directory of one data node
 */
record Replicas(Path directory) {
  private static final String FINALIZED = "/current/finalized/";
  private static final int TRIES_MAX = 10;
  private static final int FLIPPED = 0xFF;

  /** Turns the bits of some bytes of a block; its checksums are left as they are. */
  void corrupt(long blockId) throws ToolException, IOException {
    try (RandomAccessFile file = new RandomAccessFile(find(blockId).toFile(), "rw")) {
      for (long at : List.of(0L, file.length() / 2, file.length() - 1)) {
        file.seek(at);
        int old = file.read();
        file.seek(at);
        file.write(old ^ FLIPPED);
      }
    }
  }

  private Path find(long blockId) throws ToolException, IOException {
    String name = "blk_" + blockId;
    for (int tries = 0; tries < TRIES_MAX; tries++) {
      try (Stream<Path> files = Files.walk(directory)) {
        Optional<Path> found =
            files
                .filter(file -> file.getFileName().toString().equals(name))
                .filter(file -> file.toString().contains(FINALIZED))
                .findFirst();
        if (found.isPresent()) {
          return found.get();
        }
      } catch (UncheckedIOException e) {
        continue; // the data node has removed a file meanwhile
      }
    }
    throw new ToolException("no finalized " + name + " below " + directory);
  }
}
