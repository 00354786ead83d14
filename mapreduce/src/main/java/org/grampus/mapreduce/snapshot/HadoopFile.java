package org.grampus.mapreduce.snapshot;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.fs.FSDataInputStream;
import org.grampus.compat.files.PositionedReads;
import org.grampus.engine.OpenFile;

/** An open file of a Hadoop file system. Reads may come from several threads at once. */
final class HadoopFile implements OpenFile {
  private final FSDataInputStream in;
  private final long length;
  private final PositionedReads source;
  private final ReadAhead reads;

  private final LongAdder fetchedBytes;

  HadoopFile(FSDataInputStream in, long length, long readAheadBytes, LongAdder fetchedBytes) {
    this.in = in;
    this.length = length;
    this.fetchedBytes = fetchedBytes;
    this.source = new PositionedReads(in);
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
    source.readFully(position, into);
    fetchedBytes.add(count);
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
