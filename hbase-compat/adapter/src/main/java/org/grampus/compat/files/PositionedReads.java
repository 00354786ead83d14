package org.grampus.compat.files;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.StreamCapabilities;

/**
 * Reads at places of an open file, into the engine's memory where the file system can do that. Any
 * thread, several at a time.
 */
public final class PositionedReads {
  private final FSDataInputStream in;
  private final boolean readsBuffers;

  /** Reads of a stream, which others may read and which is theirs to close. */
  public PositionedReads(FSDataInputStream in) {
    this.in = in;
    this.readsBuffers = in.hasCapability(StreamCapabilities.PREADBYTEBUFFER);
  }

  /**
   * Fills a buffer, whose position is at its limit afterwards. It is not kept.
   *
   * @throws IOException when the bytes cannot be read; a file that ends early is one
   */
  public void readFully(long position, ByteBuffer into) throws IOException {
    if (into.hasArray()) {
      in.readFully(position, into.array(), into.arrayOffset() + into.position(), into.remaining());
      into.position(into.limit());
    } else if (readsBuffers) {
      readDirectly(position, into);
    } else {
      byte[] bytes = new byte[into.remaining()];
      in.readFully(position, bytes);
      into.put(bytes);
    }
  }

  /**
   * HDFS moves on in the buffer before it knows that a replica has ended early. The next replica is
   * then read behind the place, and past the limit up to the capacity, so the buffer is a slice
   * with nothing behind it, and what does not fit is read once more, from a fresh one.
   */
  private void readDirectly(long position, ByteBuffer into) throws IOException {
    try {
      in.readFully(position, into.slice());
    } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
      try {
        in.readFully(position, into.slice());
      } catch (IllegalArgumentException | IndexOutOfBoundsException again) {
        again.addSuppressed(e);
        throw new IOException("replicas of " + in + " differ in length", again);
      }
    }
    into.position(into.limit());
  }
}
