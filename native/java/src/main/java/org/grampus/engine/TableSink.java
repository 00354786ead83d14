package org.grampus.engine;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Takes the bytes of a {@link NativeTableFile}, a {@link NativeColumnFile} or a merge, in order, on
 * the thread that is inside one of its methods. It may wait, and must not call the file.
 */
@FunctionalInterface
public interface TableSink {
  /**
   * Takes bytes.
   *
   * @param bytes a direct buffer over memory of the engine: its position is at its limit when this
   *     returns. It is valid during this call alone, so neither the buffer nor a duplicate or slice
   *     of it may be kept
   * @throws IOException when they cannot be written; the call of the file fails with class and
   *     message of what is thrown, and the file is none
   */
  void write(ByteBuffer bytes) throws IOException;
}
