package org.grampus.server.region;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import java.util.Set;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.grampus.server.env.HadoopFileSystems;

/** Files of a file system of Hadoop's. */
final class HadoopLoadFiles implements LoadFiles {
  private static final FsPermission PRIVATE = new FsPermission((short) 0700);

  /** HDFS has second names for files in directories of these names. */
  private static final Set<String> SECOND_NAMES = Set.of(".reserved", ".snapshot");

  private final FileSystem fs;
  private final FileSystem clientFs;
  private final Path root;

  /**
   * Files of the root's file system. Both file systems stay their owner's, who closes them.
   *
   * @param clientFs the file system that {@code hbase.rootdir} names: a table of mounts, or {@code
   *     fs}
   */
  HadoopLoadFiles(FileSystem fs, FileSystem clientFs, Path root) {
    this.fs = fs;
    this.clientFs = clientFs;
    this.root = ofOurs(root);
  }

  @Override
  public Path root() {
    return root;
  }

  @Override
  public Path path(String named) throws IOException {
    Path path = LoadFiles.parse(named);
    if (!path.isAbsolute()) {
      throw refused(named, null);
    }
    if (isSecondName(path)) {
      throw new DoNotRetryIOException(
          named + " is a second name of a file, " + SECOND_NAMES + "; name the file itself");
    }
    try {
      return ofOurs(fs.makeQualified(behindMounts(path)));
    } catch (IllegalArgumentException e) { // of another file system
      throw refused(named, e);
    }
  }

  private Path behindMounts(Path path) throws IOException {
    String scheme = path.toUri().getScheme();
    boolean mayBeMounted =
        fs != clientFs && (scheme == null || scheme.equals(clientFs.getUri().getScheme()));
    return mayBeMounted ? HadoopFileSystems.resolved(clientFs, clientFs.makeQualified(path)) : path;
  }

  private static boolean isSecondName(Path path) {
    return SECOND_NAMES.contains(path.getName())
        || (path.getParent() != null && isSecondName(path.getParent()));
  }

  private DoNotRetryIOException refused(String named, Exception cause) {
    return new DoNotRetryIOException(
        named
            + " is no absolute path of "
            + fs.getUri()
            + ", where this server's root directory is; copy the files there",
        cause);
  }

  /** By the name that this file system has for itself: a name node may have several. */
  private Path ofOurs(Path path) {
    URI own = fs.getUri();
    return new Path(own.getScheme(), own.getAuthority(), path.toUri().getPath());
  }

  @Override
  public Path real(Path path) throws IOException {
    return HadoopFileSystems.resolved(fs, path);
  }

  /** The engine needs a name as the root has it, not the resolved one. */
  @Override
  public Path moved(Path named, Path real) {
    return named;
  }

  @Override
  public boolean isDirectory(Path path) throws IOException {
    try {
      return fs.getFileStatus(path).isDirectory();
    } catch (FileNotFoundException e) {
      return false;
    }
  }

  @Override
  public boolean isOther(Path path) throws IOException {
    try {
      return !fs.getFileStatus(path).isFile();
    } catch (FileNotFoundException e) {
      return false;
    }
  }

  @Override
  public void makePrivate(Path directory) throws IOException {
    if (fs.exists(directory)) {
      throw new FileAlreadyExistsException(directory + " is there already");
    }
    if (!fs.mkdirs(directory.getParent()) || !fs.mkdirs(directory, PRIVATE)) {
      throw new IOException("cannot make the directory " + directory);
    }
  }

  @Override
  public void deleteTree(Path directory) throws IOException {
    if (!fs.delete(directory, true) && fs.exists(directory)) {
      throw new IOException("cannot delete the directory " + directory);
    }
  }
}
