package org.grampus.mapreduce.files;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import org.grampus.engine.TableSink;

/** Writes what the engine makes to a stream. One thread. */
public final class StreamSink implements TableSink {
  private final OutputStream out;
  private byte[] copy = new byte[0];

  /** A sink whose stream stays the caller's. */
  public StreamSink(OutputStream out) {
    this.out = out;
  }

  @Override
  public void write(ByteBuffer bytes) throws IOException {
    int length = bytes.remaining();
    if (copy.length < length) {
      copy = new byte[length];
    }
    bytes.get(copy, 0, length);
    out.write(copy, 0, length);
  }
}
