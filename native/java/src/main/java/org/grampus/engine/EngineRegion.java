package org.grampus.engine;

import java.nio.ByteBuffer;

/**
 * An open region as the server sees it. All methods may be called from any thread and throw {@link
 * EngineException}.
 *
 * <p>Buffers are direct; they and the results are those of docs/jni.md. Of each buffer the bytes
 * between its position and its limit are used; neither is moved, and nothing is kept of a buffer
 * after the call.
 */
public interface EngineRegion {
  /**
   * Runs a mutation batch.
   *
   * @param token unique among the calls in flight; its completion is polled when the result is
   *     PENDING
   * @return status and bytes written, see {@link CallStatus}
   */
  long mutate(long token, ByteBuffer ops, ByteBuffer cells, ByteBuffer out);

  /**
   * Reads one row into a {@link GetReply}.
   *
   * @return status and bytes written, see {@link CallStatus}
   */
  long get(ByteBuffer spec, ByteBuffer out);

  /** Opens a scanner that pins its read point and its files until closed. */
  EngineScanner openScanner(ByteBuffer spec);

  /** Sizes and counters. */
  RegionStats stats();

  /** Flushes the memtables and waits for it. No compaction follows. */
  void flush();

  /** The same, and whether a store needs a compaction then is looked at soon. */
  void flushAndCompact();

  /**
   * The files of all families as of one moment; with {@code flush} they hold every edit that was
   * acknowledged before the call.
   */
  SnapshotFiles snapshotFiles(boolean flush);

  /** Queues a compaction. */
  void compact(CompactionRequest request);

  /** Drops the pages of the region's files from the block cache; returns how many there were. */
  long clearCache();

  /** A row strictly inside the region that halves its data, or null. */
  byte[] splitPoint();

  /**
   * Ends the region: refuses new calls, waits for those inside, flushes unless aborting. A second
   * call does nothing.
   */
  void close(boolean abort);
}
