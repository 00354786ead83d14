package org.grampus.engine;

import java.nio.ByteBuffer;

/** An open scanner of the native engine. */
public final class NativeScanner extends NativeHandle implements EngineScanner {
  NativeScanner(long handle) {
    super(handle);
  }

  @Override
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

  @Override
  public long memoryBytes() {
    return memoryBytes0(handle());
  }

  @Override
  public void dropPages() {
    dropPages0(handle());
  }

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
