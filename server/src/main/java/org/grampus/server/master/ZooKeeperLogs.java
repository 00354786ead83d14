package org.grampus.server.master;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * ZooKeeper's transaction logs as a kill leaves them. ZooKeeper makes a log and then writes its
 * header of 16 bytes; a server that finds a log without the whole header does not start any more
 * (its {@code FileTxnLog} takes the end of a log for the end of the transactions only behind the
 * header). Transactions follow the header, so such a log never held one, and nothing that was
 * acknowledged goes away with it.
 */
final class ZooKeeperLogs {
  private static final Logger LOG = LoggerFactory.getLogger(ZooKeeperLogs.class);

  private static final String PREFIX = "log.";
  private static final int HEADER_BYTES = 16;

  private ZooKeeperLogs() {}

  /** Deletes the logs below a data directory that were killed before their header was whole. */
  static void removeUnfinished(Path dataDir) throws IOException {
    if (!Files.isDirectory(dataDir)) {
      return;
    }
    for (Path log : unfinished(dataDir)) {
      Files.delete(log);
      LOG.info("removed {}: an earlier start was killed before anything was written to it", log);
    }
  }

  private static List<Path> unfinished(Path dataDir) throws IOException {
    try (Stream<Path> files =
        Files.find(
            dataDir,
            Integer.MAX_VALUE,
            (file, attributes) ->
                attributes.isRegularFile()
                    && attributes.size() < HEADER_BYTES
                    && file.getFileName().toString().startsWith(PREFIX))) {
      return files.toList();
    }
  }
}
