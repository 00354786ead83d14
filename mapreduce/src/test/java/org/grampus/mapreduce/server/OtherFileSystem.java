package org.grampus.mapreduce.server;

import java.io.IOException;
import java.net.URI;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;

/** Local files as a file system that is none of the engine's: {@code other:///path}. */
public final class OtherFileSystem extends RawLocalFileSystem {
  private static final URI NAME = URI.create("other:///");
  private static final AtomicInteger OPENS = new AtomicInteger();
  private static final AtomicInteger READS = new AtomicInteger();

  /** For Hadoop. */
  public OtherFileSystem() {}

  /** How many files were opened. */
  static int opens() {
    return OPENS.get();
  }

  /** How many positioned reads there were since the last time this was asked. */
  static int readsSince() {
    return READS.getAndSet(0);
  }

  @Override
  public URI getUri() {
    return NAME;
  }

  @Override
  public String getScheme() {
    return "other";
  }

  @Override
  public FSDataInputStream open(Path path, int bufferSize) throws IOException {
    OPENS.incrementAndGet();
    return new FSDataInputStream(new CountedStream(super.open(path, bufferSize), READS));
  }

  @Override
  public FileStatus getFileStatus(Path path) throws IOException {
    FileStatus status = super.getFileStatus(path);
    status.setPath(makeQualified(new Path(status.getPath().toUri().getPath())));
    return status;
  }
}
