package org.grampus.engine;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A file that the engine reads through a {@link FileOpener}. Its bytes and its length do not
 * change. Several threads may read it at a time; the engine closes it once, behind the last read,
 * on any thread.
 */
public interface OpenFile extends Closeable {
  /** Bytes of the file; asked for once. */
  long length() throws IOException;

  /**
   * Fills a buffer.
   *
   * @param position where the bytes begin in the file; all of them lie inside it
   * @param into a direct buffer over memory of the engine: its position is at its capacity when
   *     this returns. It is valid during this call alone: the memory is used for something else
   *     afterwards, so neither the buffer nor a duplicate or slice of it may be kept
   * @throws IOException when the bytes cannot be read; the call of the engine fails with class and
   *     message of what is thrown
   */
  void readFully(long position, ByteBuffer into) throws IOException;

  /** Releases the file. The engine does not look at what this throws. */
  @Override
  void close() throws IOException;
}
