package org.grampus.perf.command;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.grampus.perf.process.Leftovers;
import org.grampus.perf.process.Memory;

/** The kernel's page cache. */
final class PageCache {
  /** What clients and all else take beside two servers. */
  static final long CLIENTS_AND_SYSTEM_MB = 3072;

  private static final int CHUNK = 1 << 20;

  private PageCache() {}

  /**
   * Fills what memory is free with pages of a file, so that from here on the page cache recycles
   * pages. On a virtual machine whose host takes free memory back, a page that was free for a while
   * costs ten times as much as another, and whichever server writes when the cache grows would pay
   * for it.
   *
   * @param file a file of zeros, without blocks on disk; it has to stay until the measurement ends
   * @param reservedMb what servers and clients are going to take
   */
  static void fill(Path file, long reservedMb) throws IOException {
    long spareMb = Memory.availableMb() - reservedMb;
    if (spareMb <= 0) {
      return;
    }
    ByteBuffer chunk = ByteBuffer.allocateDirect(CHUNK);
    try (RandomAccessFile zeros = new RandomAccessFile(Leftovers.announce(file).toFile(), "rw")) {
      zeros.setLength(spareMb << 20);
      while (zeros.getChannel().read(chunk) >= 0) {
        chunk.clear();
      }
    }
  }
}
