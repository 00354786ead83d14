package org.grampus.engine;

import java.nio.ByteBuffer;

/** An open scanner. Used by one thread at a time; close may come from any thread. */
public interface EngineScanner extends AutoCloseable {
  /** A size or time limit may stop between the cells of a row. */
  int PARTIALS_ALLOWED = 1;

  /** A time limit may stop a call that has nothing to return. */
  int HEARTBEATS_ALLOWED = 2;

  /** The call goes on with the reply of the call before, whose bytes still count. */
  int CONTINUES = 4;

  /**
   * Produces the next results; see docs/jni.md for the limits and the layout of {@code info}.
   * Blocks on disk reads, and up to two seconds for other reads of large cells.
   */
  long next(
      int maxResults,
      int limitOfRows,
      long sizeLimit,
      long timeBudgetMillis,
      int flags,
      ByteBuffer out,
      int outOffset,
      int outLength,
      ByteBuffer info);

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
