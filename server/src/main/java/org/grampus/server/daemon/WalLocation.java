package org.grampus.server.daemon;

import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.ServerName;

/**
 * Where a server's logs lie, in HBase's layout, so that the master finds and splits them after a
 * crash (design D3).
 */
record WalLocation(Path directory, Path archive, String prefix) {
  static WalLocation of(Path rootDir, ServerName server) {
    return new WalLocation(
        rootDir.resolve(HConstants.HREGION_LOGDIR_NAME).resolve(server.toString()),
        rootDir.resolve(HConstants.HREGION_OLDLOGDIR_NAME),
        URLEncoder.encode(server.toString(), StandardCharsets.UTF_8));
  }

  /**
   * Makes the directories. Only for a server that ZooKeeper knows: the master takes a log directory
   * without a server for a dead one's.
   */
  void create() throws IOException {
    Files.createDirectories(directory);
    Files.createDirectories(archive);
  }

  /**
   * Removes the directory when nothing is left in it, so that the next start has nothing to
   * recover.
   */
  void removeIfEmpty() throws IOException {
    try {
      Files.deleteIfExists(directory);
    } catch (java.nio.file.DirectoryNotEmptyException e) {
      // Segments that some region still needs stay for recovery.
      return;
    }
  }
}
