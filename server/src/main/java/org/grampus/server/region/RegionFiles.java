package org.grampus.server.region;

import java.io.Closeable;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableDescriptors;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.regionserver.HRegionFileSystem;
import org.apache.hadoop.hbase.util.CommonFSUtils;
import org.apache.hadoop.hbase.util.FSTableDescriptors;
import org.grampus.server.env.HadoopFileSystems;

/**
 * HBase's side of the directories of a server: where root, logs and regions are, a region's
 * descriptor, and that its directory exists. All calls may wait for the file systems.
 */
public final class RegionFiles implements Closeable {
  private final Configuration conf;
  private final FileSystem fs;
  private final Path rootDir;
  private final FileSystem walFs;
  private final Path walRootDir;

  /** Files below the directories that {@code hbase.rootdir} and {@code hbase.wal.dir} name. */
  public RegionFiles(Configuration conf) throws IOException {
    this.conf = conf;
    this.rootDir = CommonFSUtils.getRootDir(conf);
    this.walRootDir = CommonFSUtils.getWALRootDir(conf);
    requireReach(conf);
    this.fs = open(rootDir);
    try {
      this.walFs = open(walRootDir);
    } catch (IOException e) {
      fs.close();
      throw e;
    }
  }

  /** Logs on this machine alone are gone with it, and the master would find none of the server. */
  private void requireReach(Configuration conf) throws IOException {
    if (!isLocal(rootDir) && isLocal(walRootDir) && HadoopFileSystems.mustKeepLogs(conf)) {
      throw new IOException(
          "hbase.wal.dir is "
              + walRootDir
              + ", which other servers cannot read, and hbase.rootdir is "
              + rootDir
              + "; name a directory of the cluster's file system in full");
    }
  }

  private FileSystem open(Path path) throws IOException {
    return isLocal(path) ? path.getFileSystem(conf) : HadoopFileSystems.open(path, conf);
  }

  /** Closes what is not local. Nothing of these files is used afterwards. */
  @Override
  public void close() throws IOException {
    for (FileSystem each : List.of(fs, walFs)) {
      if (!"file".equals(each.getUri().getScheme())) {
        each.close();
      }
    }
  }

  /** Whether all is on the machine's own file systems. */
  public boolean areLocal() {
    return Stream.of(rootDir, walRootDir).allMatch(RegionFiles::isLocal);
  }

  /** Whether a path is on the machine's own file systems. */
  public static boolean isLocal(Path path) {
    return "file".equals(path.toUri().getScheme());
  }

  /** A path as the engine names it: a plain one of a local file, else its URI. */
  public static String place(Path path) {
    return isLocal(path) ? path.toUri().getPath() : path.toString();
  }

  /** The root directory. */
  public Path root() {
    return rootDir;
  }

  /** The file system of the root directory. */
  public FileSystem fileSystem() {
    return fs;
  }

  /** The directory of the logs' directories. */
  public Path walRoot() {
    return walRootDir;
  }

  /**
   * The directory of the logs' directories as the engine names it; null where it is the root
   * directory.
   */
  public String walPlace() {
    return walRootDir.equals(rootDir) ? null : place(walRootDir);
  }

  /** The file system of the logs. */
  public FileSystem walFileSystem() {
    return walFs;
  }

  /** The directory of a region's table. */
  public Path tableDir(RegionInfo region) {
    return CommonFSUtils.getTableDir(rootDir, region.getTable());
  }

  /** The directory of a region. */
  public Path regionDir(RegionInfo region) {
    return new Path(tableDir(region), region.getEncodedName());
  }

  /**
   * The table's descriptor as it is on disk now: a region is opened again after every change of it.
   */
  public TableDescriptor descriptor(RegionInfo region) throws IOException {
    TableDescriptors descriptors = new FSTableDescriptors(fs, rootDir, true, false);
    TableDescriptor descriptor = descriptors.get(region.getTable());
    if (descriptor == null) {
      throw new IOException(
          "table " + region.getTable() + " has no descriptor below " + tableDir(region));
    }
    return descriptor;
  }

  /**
   * Makes the region's directory, its {@code .regioninfo} and its family directories where they are
   * missing: truncate_region, for one, leaves nothing behind, and a later snapshot looks for them.
   */
  public void prepare(RegionInfo region, TableDescriptor table) throws IOException {
    Path tableDir = tableDir(region);
    Path regionDir = new Path(tableDir, region.getEncodedName());
    Path info = new Path(regionDir, HRegionFileSystem.REGION_INFO_FILE);
    if (!fs.exists(regionDir)) {
      HRegionFileSystem.createRegionOnFileSystem(conf, fs, tableDir, region);
    } else if (!fs.exists(info)) {
      HRegionFileSystem.openRegionFromFileSystem(conf, fs, tableDir, region, false);
    }
    for (ColumnFamilyDescriptor family : table.getColumnFamilies()) {
      Path dir = new Path(regionDir, family.getNameAsString());
      if (!fs.mkdirs(dir)) {
        throw new IOException("cannot make the family directory " + dir);
      }
    }
  }

  /**
   * A log segment as the master names it: relative to the directory of the logs, or absolute with
   * its scheme. The name node may have another name there: it is asked by ours.
   *
   * @throws IOException when it leads out of that directory
   */
  public Path resolve(String path) throws IOException {
    URI resolved;
    try {
      resolved = new Path(walRootDir, path).toUri().normalize();
    } catch (IllegalArgumentException e) {
      throw new DoNotRetryIOException("not a path: " + path, e);
    }
    if (!isBelow(walRootDir.toUri(), resolved)) {
      throw new DoNotRetryIOException(path + " is not below " + walRootDir);
    }
    return new Path(walRootDir, resolved.getPath());
  }

  private static boolean isBelow(URI root, URI path) {
    return Objects.equals(root.getScheme(), path.getScheme())
        && path.getPath().startsWith(root.getPath().replaceAll("/+$", "") + "/");
  }
}
