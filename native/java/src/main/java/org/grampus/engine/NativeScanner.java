package org.grampus.engine;

import java.nio.ByteBuffer;

/** An open scanner of the native engine. */
public final class NativeScanner extends NativeHandle implements EngineScanner {
  NativeScanner(long handle) {
    super(handle);
  }

  @Override
  public long next(ScanLimits limits, ByteBuffer out, ScanInfo info) {
    DirectBuffers.requireOutput(out, "cells");
    return next0(
        handle(),
        limits.results(),
        limits.rows(),
        limits.sizeBytes(),
        limits.timeMillis(),
        limits.flags(),
        out,
        out.position(),
        out.remaining(),
        info.buffer());
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
