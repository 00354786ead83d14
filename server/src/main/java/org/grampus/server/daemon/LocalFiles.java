package org.grampus.server.daemon;

import java.io.File;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.attribute.FileTime;
import java.util.Map;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.fs.permission.FsPermission;

/**
 * The local file system of HBase's own code: Hadoop's without checksum files, with permissions set
 * and read without a process.
 *
 * <p>Hadoop without its native library runs {@code chmod} and {@code ls} for single files. Since
 * JDK 13 Java starts processes through a helper ({@code jspawnhelper}) that waits for its parent on
 * a pipe; two that are started at once hold each other's pipe open. A server that is killed at that
 * moment leaves them behind with its listening sockets, and cannot start again.
 */
public final class LocalFiles extends RawLocalFileSystem {
  /** The attributes of the JDK on Unix; only its mode has the sticky bit. */
  private static final String ATTRIBUTES =
      "unix:mode,owner,group,size,isDirectory,lastModifiedTime,lastAccessTime";

  private static final int PERMISSION_BITS = 01777;

  /** Created by Hadoop, by the name in {@code fs.file.impl}. */
  public LocalFiles() {}

  @Override
  public void setPermission(Path path, FsPermission permission) throws IOException {
    Files.setAttribute(pathToFile(path).toPath(), "unix:mode", (int) permission.toShort());
  }

  @Override
  public FileStatus getFileStatus(Path path) throws IOException {
    File file = pathToFile(path);
    try {
      return status(path, file, Files.readAttributes(file.toPath(), ATTRIBUTES));
    } catch (IOException e) {
      if (file.exists()) {
        throw e;
      }
      throw new FileNotFoundException("File " + path + " does not exist");
    }
  }

  private FileStatus status(Path path, File file, Map<String, Object> attributes) {
    return new FileStatus(
        (Long) attributes.get("size"),
        (Boolean) attributes.get("isDirectory"),
        1,
        getDefaultBlockSize(path),
        ((FileTime) attributes.get("lastModifiedTime")).toMillis(),
        ((FileTime) attributes.get("lastAccessTime")).toMillis(),
        new FsPermission((short) ((Integer) attributes.get("mode") & PERMISSION_BITS)),
        attributes.get("owner").toString(),
        attributes.get("group").toString(),
        makeQualified(new Path(file.getPath())));
  }
}
