package org.grampus.mapreduce.server;

import java.io.IOException;
import java.net.URI;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;

/** Local files, of which none opens until files of several regions are being opened. */
public final class MeetingFileSystem extends RawLocalFileSystem {
  private static final int SECONDS = 20;

  /**
   * What files wait for.
   *
   * @param regions of which a file is being opened
   * @param missing how many more there must be
   */
  private record Meeting(Set<String> regions, CountDownLatch missing) {}

  private static volatile Meeting meeting;

  /** For Hadoop. */
  public MeetingFileSystem() {}

  /** Lets the next files of regions open once files of this many regions are being opened. */
  static void expect(int regions) {
    meeting = new Meeting(ConcurrentHashMap.newKeySet(), new CountDownLatch(regions));
  }

  @Override
  public URI getUri() {
    return URI.create("meeting:///");
  }

  @Override
  public String getScheme() {
    return "meeting";
  }

  @Override
  public FSDataInputStream open(Path path, int bufferSize) throws IOException {
    Meeting next = meeting;
    if (path.toString().contains("/data/") && next.regions().add(region(path))) {
      next.missing().countDown();
      await(next);
    }
    return super.open(path, bufferSize);
  }

  @Override
  public FileStatus getFileStatus(Path path) throws IOException {
    FileStatus status = super.getFileStatus(path);
    status.setPath(makeQualified(new Path(status.getPath().toUri().getPath())));
    return status;
  }

  private static String region(Path file) {
    return file.getParent().getParent().getName();
  }

  private static void await(Meeting next) throws IOException {
    try {
      if (!next.missing().await(SECONDS, TimeUnit.SECONDS)) {
        throw new IOException("too few regions are opened side by side");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }
}
