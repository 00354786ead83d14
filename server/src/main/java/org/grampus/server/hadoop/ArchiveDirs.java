package org.grampus.server.hadoop;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.security.AccessControlException;
import org.grampus.server.env.Env;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The directories from which the master's cleaners delete files that have not changed for a time. A
 * rename is no change of a file. Immutable.
 *
 * @param paths without file systems: a name node may have several names
 */
record ArchiveDirs(List<String> paths) {
  private static final Logger LOG = LoggerFactory.getLogger(ArchiveDirs.class);

  /** Those below the roots of a configuration; none below a root that it does not name. */
  static ArchiveDirs of(Configuration conf) {
    String root = conf.get(HConstants.HBASE_DIR);
    if (root == null) {
      return new ArchiveDirs(List.of());
    }
    String logs = conf.get("hbase.wal.dir", root);
    return new ArchiveDirs(
        List.of(
            below(root, HConstants.HFILE_ARCHIVE_DIRECTORY),
            below(logs, HConstants.HREGION_OLDLOGDIR_NAME)));
  }

  private static String below(String root, String name) {
    return new Path(root, name).toUri().getPath() + Path.SEPARATOR;
  }

  /** Whether a file is in one of them. */
  boolean contains(Path file) {
    String path = file.toUri().getPath();
    return paths.stream().anyMatch(path::startsWith);
  }

  /**
   * Sets a file's time of change to now, before it is renamed: it might be cleaned away between the
   * two. A file that a client had loaded may be its own, and is cleaned by its own age.
   */
  static void touch(FileSystem fs, Path file) throws IOException {
    try {
      fs.setTimes(file, Env.millis(), -1);
    } catch (AccessControlException e) {
      LOG.info("{} is archived with its own time of change: {}", file, e.getMessage());
    }
  }
}
