package org.grampus.engine;

import java.nio.ByteBuffer;

/** An open scanner. Used by one thread at a time; close may come from any thread. */
public final class NativeScanner extends NativeHandle implements AutoCloseable {
  /** A size or time limit may stop between the cells of a row. */
  public static final int PARTIALS_ALLOWED = 1;

  /** A time limit may stop a call that has nothing to return. */
  public static final int HEARTBEATS_ALLOWED = 2;

  /** The call goes on with the reply of the call before, whose bytes still count. */
  public static final int CONTINUES = 4;

  NativeScanner(long handle) {
    super(handle);
  }

  /**
   * Produces the next results; see docs/jni.md for the limits and the layout of {@code info}.
   * Blocks on disk reads, and up to two seconds for other reads of large cells.
   */
  public long next(
      int maxResults,
      int limitOfRows,
      long sizeLimit,
      long timeBudgetMillis,
      int flags,
      ByteBuffer out,
      int outOffset,
      int outLength,
      ByteBuffer info) {
    return next0(
        handle(),
        maxResults,
        limitOfRows,
        sizeLimit,
        timeBudgetMillis,
        flags,
        out,
        outOffset,
        outLength,
        info);
  }

  /**
   * Bytes that the scanner keeps in memory for its next call, pages above all. The engine does not
   * count them any more.
   *
   * @throws EngineException NOT_SERVING after a close
   */
  public long memoryBytes() {
    return memoryBytes0(handle());
  }

  /**
   * Keeps as little as possible in memory; the next call reads again what it needs.
   *
   * @throws EngineException NOT_SERVING after a close
   */
  public void dropPages() {
    dropPages0(handle());
  }

  /** Releases the read point and the files. */
  @Override
  public void close() {
    long live = release();
    if (live != 0) {
      close0(live);
    }
  }

  private static native long next0(
      long scanner,
      int maxResults,
      int limitOfRows,
      long sizeLimit,
      long timeBudgetMillis,
      int flags,
      ByteBuffer out,
      int outOffset,
      int outLength,
      ByteBuffer info);

  private static native long memoryBytes0(long scanner);

  private static native void dropPages0(long scanner);

  private static native void close0(long scanner);
}
