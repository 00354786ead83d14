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
   * Blocks on disk reads.
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
   * Between two calls: lets go of the pages that the scanner keeps in memory if they are more than
   * so many bytes. The next call loads them again.
   *
   * @return bytes of pages that it keeps; a few pages of row keys stay whatever is asked
   */
  public long keepPages(long bytesMax) {
    return keepPages0(handle(), bytesMax);
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

  private static native long keepPages0(long scanner, long bytesMax);

  private static native void close0(long scanner);
}
