package org.grampus.server.daemon;

import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.ServerName;
import org.grampus.server.region.RegionFiles;

/**
 * Where a server's logs lie, in HBase's layout, so that the master finds and splits them after a
 * crash. The engine makes the directories when it starts the logs.
 */
record WalLocation(FileSystem fs, Path directory, Path archive, String prefix) {
  static WalLocation of(RegionFiles files, ServerName server) {
    return new WalLocation(
        files.walFileSystem(),
        new Path(new Path(files.walRoot(), HConstants.HREGION_LOGDIR_NAME), server.toString()),
        new Path(files.walRoot(), HConstants.HREGION_OLDLOGDIR_NAME),
        URLEncoder.encode(server.toString(), StandardCharsets.UTF_8));
  }

  /**
   * Removes the directory when nothing is left in it, so that the next start has nothing to
   * recover. Segments that some region still needs stay for recovery.
   */
  void removeIfEmpty() throws IOException {
    if (RegionFiles.isLocal(directory)) {
      removeLocal();
    } else if (fs.exists(directory) && fs.listStatus(directory).length == 0) {
      fs.delete(directory, false); // refuses one that is not empty
    }
  }

  /** In one step: Hadoop's local delete lists first, and then deletes what was added meanwhile. */
  private void removeLocal() throws IOException {
    try {
      Files.deleteIfExists(java.nio.file.Path.of(RegionFiles.place(directory)));
    } catch (DirectoryNotEmptyException e) {
      // Segments that a region still needs stay for the next start.
    }
  }
}
