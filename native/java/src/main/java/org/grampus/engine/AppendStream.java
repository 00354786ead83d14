package org.grampus.engine;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A file that the engine writes through {@link EngineFiles}, from beginning to end. One thread at a
 * time calls it, any thread of the engine. After a call that failed only {@link #sync}, {@link
 * #close} and {@link #abandon} are called, and may fail.
 */
public interface AppendStream {
  /**
   * Takes bytes. They need not be anywhere else when this returns.
   *
   * @param bytes a direct buffer over memory of the engine: its position is at its limit when this
   *     returns. It is valid during this call alone, so neither the buffer nor a duplicate or slice
   *     of it may be kept
   */
  void write(ByteBuffer bytes) throws IOException;

  /** What was written survives the death of this machine: HDFS's hflush. */
  void flush() throws IOException;

  /**
   * What was written is on the disks of the machines that keep it, flushed before or not: HDFS's
   * hsync. A stream of {@link EngineFiles#createLog} may fail where nothing was written since the
   * last flush or sync; no other may.
   */
  void sync() throws IOException;

  /** Ends the file: its length is final. Nothing is called after it, whatever it throws. */
  void close() throws IOException;

  /**
   * Gives the file up, instead of {@link #close}. Must not wait: what takes time happens on another
   * thread. Nothing is called after it.
   */
  void abandon();
}
