package org.grampus.mapreduce.server;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSInputStream;

/** A stream whose positioned reads are counted, and which reads into arrays alone. */
final class CountedStream extends FSInputStream {
  private final FSDataInputStream in;
  private final AtomicInteger reads;

  CountedStream(FSDataInputStream in, AtomicInteger reads) {
    this.in = in;
    this.reads = reads;
  }

  @Override
  public int read(long position, byte[] buffer, int offset, int length) throws IOException {
    reads.incrementAndGet();
    return in.read(position, buffer, offset, length);
  }

  @Override
  public int read() throws IOException {
    return in.read();
  }

  @Override
  public int read(byte[] buffer, int offset, int length) throws IOException {
    return in.read(buffer, offset, length);
  }

  @Override
  public void seek(long position) throws IOException {
    in.seek(position);
  }

  @Override
  public long getPos() throws IOException {
    return in.getPos();
  }

  @Override
  public boolean seekToNewSource(long position) throws IOException {
    return in.seekToNewSource(position);
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
