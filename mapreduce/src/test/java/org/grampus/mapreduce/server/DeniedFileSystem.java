package org.grampus.mapreduce.server;

import java.io.IOException;
import java.net.URI;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.security.AccessControlException;

/**
 * Local files, {@code denied:///path}, beside which the user may make no directory. The tests' own
 * user may be root, to whom the system denies nothing.
 */
public final class DeniedFileSystem extends RawLocalFileSystem {
  private static final URI NAME = URI.create("denied:///");

  /** For Hadoop. */
  public DeniedFileSystem() {}

  @Override
  public URI getUri() {
    return NAME;
  }

  @Override
  public String getScheme() {
    return "denied";
  }

  private static AccessControlException denied(Path path) {
    return new AccessControlException(
        "Permission denied: user=nobody, access=WRITE, inode=" + path.toUri().getPath());
  }

  @Override
  public boolean mkdirs(Path path) throws IOException {
    throw denied(path);
  }

  @Override
  public boolean mkdirs(Path path, FsPermission permission) throws IOException {
    throw denied(path);
  }

  @Override
  public FileStatus getFileStatus(Path path) throws IOException {
    FileStatus status = super.getFileStatus(path);
    status.setPath(makeQualified(new Path(status.getPath().toUri().getPath())));
    return status;
  }
}
