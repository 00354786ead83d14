package org.grampus.server.region;

import java.io.Closeable;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HConstants;
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
  private final ServerDir root;
  private final ServerDir logs;
  private final List<FileSystem> opened = new ArrayList<>();
  private final FileSystem fs;
  private final FileSystem walFs;
  private final FileSystem clientFs;

  /**
   * Files below the directories that {@code hbase.rootdir} and {@code hbase.wal.dir} name.
   *
   * @throws IOException also when a file system is of a kind that cannot have them; the message
   *     names the key
   */
  public RegionFiles(Configuration conf) throws IOException {
    this.root = ServerDir.root(conf);
    this.logs = ServerDir.logs(conf, root);
    this.conf = withPlaces(conf, root, logs);
    requireReach();
    try {
      this.fs = open(root.path());
      this.walFs = open(logs.path());
      this.clientFs = root.isMounted() ? open(root.named()) : fs;
    } catch (IOException e) {
      close();
      throw e;
    }
  }

  private static Configuration withPlaces(Configuration conf, ServerDir root, ServerDir logs) {
    Configuration settings = new Configuration(conf);
    settings.set(HConstants.HBASE_DIR, root.path().toString());
    if (conf.get(CommonFSUtils.HBASE_WAL_DIR) != null) {
      settings.set(CommonFSUtils.HBASE_WAL_DIR, logs.path().toString());
    }
    return settings;
  }

  /**
   * Logs on this machine alone are gone with it, and the master would find none of the server. One
   * below the root, which mounts may hide, is refused as HBase refuses it.
   */
  private void requireReach() throws IOException {
    CommonFSUtils.getWALRootDir(conf);
    if (!isLocal(root()) && isLocal(walRoot()) && HadoopFileSystems.mustKeepLogs(conf)) {
      throw new IOException(
          "hbase.wal.dir is "
              + walRoot()
              + ", which other servers cannot read, and hbase.rootdir is "
              + root.named()
              + "; name a directory of the cluster's file system in full");
    }
  }

  private FileSystem open(Path path) throws IOException {
    if (isLocal(path)) {
      return path.getFileSystem(conf);
    }
    FileSystem own = HadoopFileSystems.open(path, conf);
    opened.add(own);
    return own;
  }

  /** Closes what is not local. Nothing of these files is used afterwards. */
  @Override
  public void close() throws IOException {
    for (FileSystem each : opened) {
      each.close();
    }
  }

  /** The server's settings, with the directories where they are, whatever mounts call them. */
  public Configuration settings() {
    return new Configuration(conf);
  }

  /** Whether all is on the machine's own file systems. */
  public boolean areLocal() {
    return Stream.of(root(), walRoot()).allMatch(RegionFiles::isLocal);
  }

  /** Whether a path is on the machine's own file systems. */
  public static boolean isLocal(Path path) {
    return "file".equals(path.toUri().getScheme());
  }

  /** A path as the engine names it: a plain one of a local file, else its URI. */
  public static String place(Path path) {
    return isLocal(path) ? path.toUri().getPath() : path.toString();
  }

  /** The root directory, where it is. */
  public Path root() {
    return root.path();
  }

  /** The root directory as {@code hbase.rootdir} names it, with its scheme. */
  public Path namedRoot() {
    return root.named();
  }

  /** The file system of the root directory. */
  public FileSystem fileSystem() {
    return fs;
  }

  /**
   * The file system that {@code hbase.rootdir} names: a table of mounts, or {@link #fileSystem}.
   * Clients name files by it.
   */
  FileSystem clientFs() {
    return clientFs;
  }

  /** The directory of the logs' directories. */
  public Path walRoot() {
    return logs.path();
  }

  /**
   * The directory of the logs' directories as the engine names it; null where it is the root
   * directory.
   */
  public String walPlace() {
    return walRoot().equals(root()) ? null : place(walRoot());
  }

  /** The file system of the logs. */
  public FileSystem walFileSystem() {
    return walFs;
  }

  /** The directory of a region's table. */
  public Path tableDir(RegionInfo region) {
    return CommonFSUtils.getTableDir(root(), region.getTable());
  }

  /** The directory of a region. */
  public Path regionDir(RegionInfo region) {
    return new Path(tableDir(region), region.getEncodedName());
  }

  /**
   * The table's descriptor as it is on disk now: a region is opened again after every change of it.
   */
  public TableDescriptor descriptor(RegionInfo region) throws IOException {
    TableDescriptors descriptors = new FSTableDescriptors(fs, root(), true, false);
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
   * A {@code .regioninfo} that is not whole is written again: jobs and tools of HBase read it.
   */
  public void prepare(RegionInfo region, TableDescriptor table) throws IOException {
    Path tableDir = tableDir(region);
    Path regionDir = new Path(tableDir, region.getEncodedName());
    Path info = new Path(regionDir, HRegionFileSystem.REGION_INFO_FILE);
    if (!fs.exists(regionDir)) {
      HRegionFileSystem.createRegionOnFileSystem(conf, fs, tableDir, region);
    } else if (!isWhole(info, region)) {
      HRegionFileSystem.openRegionFromFileSystem(conf, fs, tableDir, region, false);
    }
    for (ColumnFamilyDescriptor family : table.getColumnFamilies()) {
      Path dir = new Path(regionDir, family.getNameAsString());
      if (!fs.mkdirs(dir)) {
        throw new IOException("cannot make the family directory " + dir);
      }
    }
  }

  /** By its length, as in HBase: a process that died while it wrote has left less. */
  private boolean isWhole(Path info, RegionInfo region) throws IOException {
    try {
      return fs.getFileStatus(info).getLen() == RegionInfo.toDelimitedByteArray(region).length;
    } catch (FileNotFoundException e) {
      return false;
    }
  }

  /**
   * A log segment as the master names it: relative to the directory of the logs, or absolute with
   * its scheme, by the name of a mount or where it is. The name node may have another name there:
   * it is asked by ours.
   *
   * @throws IOException when it leads out of that directory
   */
  public Path resolve(String path) throws IOException {
    URI resolved;
    try {
      resolved = new Path(walRoot(), path).toUri().normalize();
    } catch (IllegalArgumentException e) {
      throw new DoNotRetryIOException("not a path: " + path, e);
    }
    for (Path name : List.of(logs.path(), logs.named())) {
      if (isBelow(name.toUri(), resolved)) {
        String below = resolved.getPath().substring(stem(name.toUri()).length());
        return new Path(walRoot(), stem(walRoot().toUri()) + below);
      }
    }
    throw new DoNotRetryIOException(path + " is not below " + logs.named());
  }

  private static boolean isBelow(URI root, URI path) {
    return Objects.equals(root.getScheme(), path.getScheme())
        && path.getPath().startsWith(stem(root) + "/");
  }

  /** The path of a directory without a slash at its end. */
  private static String stem(URI directory) {
    return directory.getPath().replaceAll("/+$", "");
  }
}
