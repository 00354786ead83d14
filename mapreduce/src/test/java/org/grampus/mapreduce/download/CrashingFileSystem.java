package org.grampus.mapreduce.download;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.net.URI;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.util.Progressable;

/** Local files, {@code crash:///path}, until a number of changes: from then on nothing changes. */
public final class CrashingFileSystem extends RawLocalFileSystem {
  private static final URI NAME = URI.create("crash:///");
  private static int changesLeft;

  /** For Hadoop. */
  public CrashingFileSystem() {}

  /** Sets the number of changes that still happen. */
  static void crashAfter(int changes) {
    changesLeft = changes;
  }

  /** Whether a change was refused, or the next one would be. */
  static boolean crashed() {
    return changesLeft <= 0;
  }

  private static void change() throws IOException {
    if (changesLeft-- <= 0) {
      throw new IOException("crashed");
    }
  }

  @Override
  public URI getUri() {
    return NAME;
  }

  @Override
  public String getScheme() {
    return "crash";
  }

  @Override
  public FSDataOutputStream create(
      Path path,
      boolean overwrite,
      int bufferSize,
      short replication,
      long blockSize,
      Progressable progress)
      throws IOException {
    change();
    return quick(super.create(path, overwrite, bufferSize, replication, blockSize, progress));
  }

  @Override
  public FSDataOutputStream create(
      Path path,
      FsPermission permission,
      boolean overwrite,
      int bufferSize,
      short replication,
      long blockSize,
      Progressable progress)
      throws IOException {
    change();
    return quick(
        super.create(path, permission, overwrite, bufferSize, replication, blockSize, progress));
  }

  /** A stream that waits for no disk: power stays on here. */
  private static FSDataOutputStream quick(FSDataOutputStream out) throws IOException {
    return new FSDataOutputStream(new FilterOutputStream(out), null);
  }

  /** Would start a process. */
  @Override
  public void setPermission(Path path, FsPermission permission) {}

  @Override
  public boolean rename(Path from, Path to) throws IOException {
    change();
    return super.rename(from, to);
  }

  /** Files of a directory go one by one, so that a crash may leave some. */
  @Override
  public boolean delete(Path path, boolean recursive) throws IOException {
    if (exists(path) && getFileStatus(path).isDirectory()) {
      for (FileStatus inner : listStatus(path)) {
        delete(inner.getPath(), true);
      }
    }
    change();
    return super.delete(path, recursive);
  }

  @Override
  public boolean mkdirs(Path path) throws IOException {
    change();
    return super.mkdirs(path);
  }

  @Override
  public FileStatus getFileStatus(Path path) throws IOException {
    FileStatus status = super.getFileStatus(path);
    status.setPath(makeQualified(new Path(status.getPath().toUri().getPath())));
    return status;
  }
}
