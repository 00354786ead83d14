package org.grampus.mapreduce.snapshot;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.StreamCapabilities;
import org.grampus.engine.OpenFile;

/** An open file of a Hadoop file system. Reads may come from several threads at once. */
final class HadoopFile implements OpenFile {
  private final FSDataInputStream in;
  private final long length;
  private final boolean readsBuffers;

  HadoopFile(FSDataInputStream in, long length) {
    this.in = in;
    this.length = length;
    this.readsBuffers = in.hasCapability(StreamCapabilities.PREADBYTEBUFFER);
  }

  @Override
  public long length() {
    return length;
  }

  @Override
  public void readFully(long position, ByteBuffer into) throws IOException {
    if (readsBuffers) {
      in.readFully(position, into);
      return;
    }
    byte[] bytes = new byte[into.remaining()];
    in.readFully(position, bytes);
    into.put(bytes);
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
