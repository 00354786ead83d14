package org.grampus.mapreduce.snapshot;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.StreamCapabilities;
import org.grampus.engine.OpenFile;

/** An open file of a Hadoop file system. Reads may come from several threads at once. */
final class HadoopFile implements OpenFile {
  private final FSDataInputStream in;
  private final long length;
  private final boolean readsBuffers;
  private final ReadAhead reads;

  private final LongAdder fetchedBytes;

  HadoopFile(FSDataInputStream in, long length, long readAheadBytes, LongAdder fetchedBytes) {
    this.in = in;
    this.length = length;
    this.fetchedBytes = fetchedBytes;
    this.readsBuffers = in.hasCapability(StreamCapabilities.PREADBYTEBUFFER);
    this.reads = new ReadAhead(this::read, length, readAheadBytes);
  }

  @Override
  public long length() {
    return length;
  }

  @Override
  public void readFully(long position, ByteBuffer into) throws IOException {
    reads.readFully(position, into);
  }

  private void read(long position, ByteBuffer into) throws IOException {
    int count = into.remaining();
    if (into.hasArray()) {
      in.readFully(position, into.array(), into.arrayOffset() + into.position(), into.remaining());
      into.position(into.limit());
    } else if (readsBuffers) {
      in.readFully(position, into);
    } else {
      byte[] bytes = new byte[count];
      in.readFully(position, bytes);
      into.put(bytes);
    }
    fetchedBytes.add(count);
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
