package org.grampus.server.region;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.viewfs.ViewFileSystem;
import org.apache.hadoop.fs.viewfs.ViewFileSystemOverloadScheme;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.util.CommonFSUtils;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.ViewDistributedFileSystem;
import org.grampus.server.env.HadoopFileSystems;

/**
 * A directory of the server's: as its key names it, and where it is. Behind a table of mounts
 * ({@code viewfs:}) the two differ, since a lease is recovered and a file is opened by its number
 * on HDFS itself. Immutable.
 *
 * @param named with scheme, as a configuration of the cluster has it
 * @param path the same directory, on HDFS or on local disks
 */
record ServerDir(Path named, Path path) {
  /**
   * The directory of {@code hbase.rootdir}.
   *
   * @throws IOException when its file system cannot have it
   */
  static ServerDir root(Configuration conf) throws IOException {
    requireKind(conf, HConstants.HBASE_DIR, new Path(conf.get(HConstants.HBASE_DIR)));
    return of(conf, HConstants.HBASE_DIR, CommonFSUtils.getRootDir(conf));
  }

  /** The directory of {@code hbase.wal.dir}, where that is set, else the root. */
  static ServerDir logs(Configuration conf, ServerDir root) throws IOException {
    String dir = conf.get(CommonFSUtils.HBASE_WAL_DIR);
    if (dir == null) {
      return root;
    }
    requireKind(conf, CommonFSUtils.HBASE_WAL_DIR, new Path(dir));
    return of(conf, CommonFSUtils.HBASE_WAL_DIR, CommonFSUtils.getWALRootDir(conf));
  }

  private static ServerDir of(Configuration conf, String key, Path named) throws IOException {
    if (!isMountTable(conf, named)) {
      return new ServerDir(named, named);
    }
    try (FileSystem mounts = HadoopFileSystems.open(named, conf)) {
      Path path = HadoopFileSystems.resolved(mounts, named);
      if (mounts.getUri().getScheme().equals(path.toUri().getScheme())) {
        throw new IOException(
            key + " is " + named + ", which no mount has, or which is not there; make it first");
      }
      requireKind(conf, key, path);
      return new ServerDir(named, path);
    }
  }

  /** Whether the directory is behind a table of mounts. */
  boolean isMounted() {
    return !named.equals(path);
  }

  /**
   * By classes, before a file system is opened: one that is refused may wait for other machines.
   */
  private static void requireKind(Configuration conf, String key, Path dir) throws IOException {
    requireNoHiddenMounts(conf, key, dir);
    boolean known =
        "file".equals(scheme(conf, dir))
            || isKind(conf, dir, DistributedFileSystem.class)
            || isMountTable(conf, dir);
    if (!known && HadoopFileSystems.mustKeepLogs(conf)) {
      throw new IOException(
          key
              + " is "
              + dir
              + ", and files of a region server cannot be there: a log needs flushes that last and"
              + " leases that can be recovered, column files need creates and renames that are one"
              + " step and replace nothing. Name a directory on HDFS in "
              + key);
    }
  }

  /** Under a scheme of their own, see {@link #requireNoHiddenMounts}. */
  private static boolean isMountTable(Configuration conf, Path dir) {
    return isKind(conf, dir, ViewFileSystem.class);
  }

  /**
   * Mounts that have the scheme of what is behind them: to open that would open the mounts again.
   */
  private static void requireNoHiddenMounts(Configuration conf, String key, Path dir)
      throws IOException {
    if (isKind(conf, dir, ViewFileSystemOverloadScheme.class)
        || isKind(conf, dir, ViewDistributedFileSystem.class)) {
      String impl = "fs." + scheme(conf, dir) + ".impl";
      throw new IOException(
          key
              + " is "
              + dir
              + ", and "
              + impl
              + " is "
              + conf.get(impl)
              + ", whose mounts hide where a directory is. Name it by viewfs: in "
              + key
              + ", or on HDFS without "
              + impl);
    }
  }

  private static boolean isKind(Configuration conf, Path dir, Class<?> kind) {
    try {
      return kind.isAssignableFrom(FileSystem.getFileSystemClass(scheme(conf, dir), conf));
    } catch (IOException | RuntimeException e) {
      return false; // no such class is here
    }
  }

  private static String scheme(Configuration conf, Path dir) {
    String scheme = dir.toUri().getScheme();
    return scheme == null ? FileSystem.getDefaultUri(conf).getScheme() : scheme;
  }
}
