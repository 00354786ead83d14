package org.grampus.engine;

import java.nio.ByteBuffer;

/** An open region. All methods may be called from any thread; buffers are direct (docs/jni.md). */
public final class NativeRegion extends NativeHandle {
  NativeRegion(long handle) {
    super(handle);
  }

  /** Runs a mutation batch. Returns status and bytes written, see {@link CallStatus}. */
  public long mutate(
      long token,
      ByteBuffer ops,
      int opsOffset,
      int opsLength,
      ByteBuffer cells,
      int cellsOffset,
      int cellsLength,
      ByteBuffer out,
      int outOffset,
      int outLength) {
    return mutate0(
        handle(),
        token,
        ops,
        opsOffset,
        opsLength,
        cells,
        cellsOffset,
        cellsLength,
        out,
        outOffset,
        outLength);
  }

  /** Reads one row. Returns status and bytes written, see {@link CallStatus}. */
  public long get(
      ByteBuffer spec,
      int specOffset,
      int specLength,
      ByteBuffer out,
      int outOffset,
      int outLength) {
    return get0(handle(), spec, specOffset, specLength, out, outOffset, outLength);
  }

  /** Opens a scanner that pins its read point and its files until closed. */
  public NativeScanner openScanner(ByteBuffer spec, int specOffset, int specLength) {
    return new NativeScanner(openScanner0(handle(), spec, specOffset, specLength));
  }

  /** What the open found, as JSON. */
  public String openReport() {
    return openReport0(handle());
  }

  /** Sizes and counters as JSON. */
  public String stats() {
    return stats0(handle());
  }

  /** Flushes the memtables and waits for it. No compaction follows. */
  public String flush() {
    return flush0(handle(), false);
  }

  /** The same, and whether a store needs a compaction then is looked at soon. */
  public String flushAndCompact() {
    return flush0(handle(), true);
  }

  /**
   * The files of all families as of one moment, as JSON; with {@code flush} they hold every edit
   * that was acknowledged before the call.
   */
  public String snapshotFiles(boolean flush) {
    return snapshotFiles0(handle(), flush);
  }

  /** Queues a compaction. */
  public void compact(String requestJson) {
    compact0(handle(), requestJson);
  }

  /** Drops the pages of the region's files from the block cache; returns how many there were. */
  public long clearCache() {
    return clearCache0(handle());
  }

  /** A row strictly inside the region that halves its data, or null. */
  public byte[] splitPoint() {
    return splitPoint0(handle());
  }

  /**
   * Ends the region: refuses new calls, waits for those inside, flushes unless aborting. A second
   * call does nothing.
   */
  public void close(boolean abort) {
    long live = release();
    if (live != 0) {
      close0(live, abort);
    }
  }

  private static native long mutate0(
      long region,
      long token,
      ByteBuffer ops,
      int opsOffset,
      int opsLength,
      ByteBuffer cells,
      int cellsOffset,
      int cellsLength,
      ByteBuffer out,
      int outOffset,
      int outLength);

  private static native long get0(
      long region,
      ByteBuffer spec,
      int specOffset,
      int specLength,
      ByteBuffer out,
      int outOffset,
      int outLength);

  private static native long openScanner0(long region, ByteBuffer spec, int offset, int length);

  private static native String openReport0(long region);

  private static native String stats0(long region);

  private static native String flush0(long region, boolean compact);

  private static native String snapshotFiles0(long region, boolean flush);

  private static native void compact0(long region, String requestJson);

  private static native long clearCache0(long region);

  private static native byte[] splitPoint0(long region);

  private static native void close0(long region, boolean abort);
}
