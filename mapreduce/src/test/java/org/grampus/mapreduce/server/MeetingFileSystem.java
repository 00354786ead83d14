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

/** Local files, of which none opens until files of two regions are being opened. */
public final class MeetingFileSystem extends RawLocalFileSystem {
  private static final int SECONDS = 20;

  private static final Set<String> REGIONS = ConcurrentHashMap.newKeySet();
  private static final CountDownLatch MISSING = new CountDownLatch(2);

  /** For Hadoop. */
  public MeetingFileSystem() {}

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
    if (path.toString().contains("/data/") && REGIONS.add(region(path))) {
      MISSING.countDown();
      await();
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

  private static void await() throws IOException {
    try {
      if (!MISSING.await(SECONDS, TimeUnit.SECONDS)) {
        throw new IOException("no second region is opened beside the first one");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }
}
