package org.grampus.mapreduce.server;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.util.Progressable;

/** Local files, {@code full:///path}, on a device that has space for few bytes of each. */
public final class FullFileSystem extends RawLocalFileSystem {
  private static final URI NAME = URI.create("full:///");
  private static final int SPACE = 512;

  /** For Hadoop. */
  public FullFileSystem() {}

  @Override
  public URI getUri() {
    return NAME;
  }

  @Override
  public String getScheme() {
    return "full";
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
    return limited(super.create(path, overwrite, bufferSize, replication, blockSize, progress));
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
    return limited(
        super.create(path, permission, overwrite, bufferSize, replication, blockSize, progress));
  }

  private static FSDataOutputStream limited(OutputStream out) throws IOException {
    return new FSDataOutputStream(new Limited(out), null);
  }

  @Override
  public FileStatus getFileStatus(Path path) throws IOException {
    FileStatus status = super.getFileStatus(path);
    status.setPath(makeQualified(new Path(status.getPath().toUri().getPath())));
    return status;
  }

  private static final class Limited extends FilterOutputStream {
    private int left = SPACE;

    Limited(OutputStream out) {
      super(out);
    }

    private void take(int bytes) throws IOException {
      left -= bytes;
      if (left < 0) {
        throw new IOException("No space left on device");
      }
    }

    @Override
    public void write(int value) throws IOException {
      take(1);
      out.write(value);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      take(length);
      out.write(bytes, offset, length);
    }
  }
}
