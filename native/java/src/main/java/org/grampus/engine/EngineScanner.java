package org.grampus.engine;

import java.nio.ByteBuffer;

/** An open scanner. Used by one thread at a time; close may come from any thread. */
public interface EngineScanner extends AutoCloseable {
  /** Time after which a call ends between rows ({@link StopReason#PAUSED}), in milliseconds. */
  long PAUSE_MILLIS = 500;

  /**
   * Produces the next results. Blocks on disk reads, and up to two seconds for other reads of large
   * cells; a NON_BLOCKING scanner pauses a millisecond after its open instead, or says WOULD_BLOCK
   * and cannot go on.
   *
   * @param out a direct buffer; cells are written between its position and its limit, neither of
   *     which is moved
   * @param info is told what was written and why the call ended
   * @return status and bytes written, see {@link CallStatus}
   */
  long next(ScanLimits limits, ByteBuffer out, ScanInfo info);

  /**
   * Bytes that the scanner keeps in memory for its next call, pages above all. The engine does not
   * count them any more.
   *
   * @throws EngineException NOT_SERVING after a close
   */
  long memoryBytes();

  /**
   * Keeps as little as possible in memory; the next call reads again what it needs.
   *
   * @throws EngineException NOT_SERVING after a close
   */
  void dropPages();

  /** Releases the read point and the files. */
  @Override
  void close();
}
