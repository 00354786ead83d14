package org.grampus.engine;

import java.nio.ByteBuffer;

/**
 * A scan of a {@link NativeFrozenRegion}. Used by one thread at a time; close may come from any
 * thread. Between two calls it may be left alone for any time.
 */
public final class NativeFrozenScan extends NativeHandle implements AutoCloseable {
  NativeFrozenScan(long handle) {
    super(handle);
  }

  /**
   * Produces the next results: whole rows, or batches. Blocks.
   *
   * <p>A call reads about as many bytes as the output holds, and not more than 64 MiB. What does
   * not fit is kept, and is what the next call delivers, whatever its limits. A call may return
   * nothing although there is more: only END is the end.
   *
   * @param limits the smaller of its counts limits results; its size also limits what is looked at
   *     in rows of which nothing is returned; its time counts with {@link
   *     ScanLimits#HEARTBEATS_ALLOWED} and is looked at between rows. Other flags have no effect
   * @param out a direct buffer; cells are written between its position and its limit, neither of
   *     which is moved
   * @param info is told what was written and why the call ended; END when there is nothing more
   * @return DONE and the bytes written, or NEED_BYTES and the bytes that the output must hold, see
   *     {@link CallStatus}
   * @throws EngineException IO or CORRUPT when a file cannot be read, ROW_TOO_BIG; the scan cannot
   *     go on after these. BUG when another call of this scan runs
   */
  public long next(ScanLimits limits, ByteBuffer out, ScanInfo info) {
    DirectBuffers.requireOutput(out, "cells");
    int results = limits.rows() > 0 ? Math.min(limits.results(), limits.rows()) : limits.results();
    boolean timed = (limits.flags() & ScanLimits.HEARTBEATS_ALLOWED) != 0;
    return next0(
        handle(),
        results,
        limits.sizeBytes(),
        timed ? limits.timeMillis() : Long.MAX_VALUE,
        out,
        out.position(),
        out.remaining(),
        info.buffer());
  }

  /** Lets go of what the scan keeps, and of the files if it was the last reader. */
  @Override
  public void close() {
    long live = release();
    if (live != 0) {
      close0(live);
    }
  }

  private static native long next0(
      long scan,
      int maxResults,
      long sizeLimit,
      long timeBudgetMillis,
      ByteBuffer out,
      int outOffset,
      int outLength,
      ByteBuffer info);

  private static native void close0(long scan);
}
