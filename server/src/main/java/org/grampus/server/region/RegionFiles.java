package org.grampus.server.region;

import java.io.IOException;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableDescriptors;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.regionserver.HRegionFileSystem;
import org.apache.hadoop.hbase.util.CommonFSUtils;
import org.apache.hadoop.hbase.util.FSTableDescriptors;

/** HBase's side of a region's directory: where it is, its descriptor, and that it exists. */
public final class RegionFiles {
  private final Configuration conf;
  private final FileSystem fs;
  private final org.apache.hadoop.fs.Path rootDir;

  /** Files below the root directory that the configuration names. */
  public RegionFiles(Configuration conf) throws IOException {
    this.conf = conf;
    this.rootDir = CommonFSUtils.getRootDir(conf);
    this.fs = rootDir.getFileSystem(conf);
    if (!"file".equals(fs.getUri().getScheme())) {
      throw new IOException(
          "hbase.rootdir is "
              + rootDir
              + "; this version keeps its data on a local file system only");
    }
  }

  /** The root directory on the local file system. */
  public Path rootDir() {
    return local(rootDir);
  }

  /** The root directory as HBase names it. */
  public org.apache.hadoop.fs.Path root() {
    return rootDir;
  }

  /** The directory of a region's table. */
  public org.apache.hadoop.fs.Path tableDir(RegionInfo region) {
    return CommonFSUtils.getTableDir(rootDir, region.getTable());
  }

  /** The directory of a region. */
  public Path regionDir(RegionInfo region) {
    return local(new org.apache.hadoop.fs.Path(tableDir(region), region.getEncodedName()));
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
    org.apache.hadoop.fs.Path tableDir = tableDir(region);
    org.apache.hadoop.fs.Path regionDir =
        new org.apache.hadoop.fs.Path(tableDir, region.getEncodedName());
    org.apache.hadoop.fs.Path info =
        new org.apache.hadoop.fs.Path(regionDir, HRegionFileSystem.REGION_INFO_FILE);
    if (!fs.exists(regionDir)) {
      HRegionFileSystem.createRegionOnFileSystem(conf, fs, tableDir, region);
    } else if (!fs.exists(info)) {
      HRegionFileSystem.openRegionFromFileSystem(conf, fs, tableDir, region, false);
    }
    for (ColumnFamilyDescriptor family : table.getColumnFamilies()) {
      org.apache.hadoop.fs.Path dir =
          new org.apache.hadoop.fs.Path(regionDir, family.getNameAsString());
      if (!fs.mkdirs(dir)) {
        throw new IOException("cannot make the family directory " + dir);
      }
    }
  }

  /**
   * A path of the master's: relative to the root, or absolute with its scheme.
   *
   * @throws IOException when it leads out of the root
   */
  public Path resolve(String path) throws IOException {
    Path root = rootDir().normalize();
    Path resolved;
    try {
      resolved = local(new org.apache.hadoop.fs.Path(rootDir, path)).normalize();
    } catch (IllegalArgumentException e) {
      throw new DoNotRetryIOException("not a path: " + path, e);
    }
    if (!resolved.startsWith(root) || resolved.equals(root)) {
      throw new DoNotRetryIOException(path + " is not below " + root);
    }
    return resolved;
  }

  private static Path local(org.apache.hadoop.fs.Path path) {
    return Path.of(path.toUri().getPath());
  }
}
