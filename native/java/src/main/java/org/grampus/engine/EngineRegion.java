package org.grampus.engine;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.BooleanSupplier;

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

  /**
   * Opens a scanner. It keeps its read point until it is closed, and its files only until the
   * store's files change. One that is NON_BLOCKING is for a scan that ends with its first request.
   *
   * @return null when the spec is NON_BLOCKING, and a page is not in memory or many columns are
   *     named
   */
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

  /**
   * Takes over column files of any of its families, all of them or none. Files that were loaded
   * under the same names before are passed over, so a call may be repeated. Blocks while what is in
   * memory is flushed, and while files are copied or looked at.
   *
   * @param mayWrite whether the region is still this server's; asked before the first file is
   *     touched, while files are taken over, and right before the load happens. Must not come back
   *     into the engine, nor wait
   * @throws EngineException WRONG_REGION when files have rows of other regions and nothing else is
   *     wrong; BAD_REQUEST when a file can never be loaded, or the load comes with the region's
   *     next open only; BUSY while another load is under way; NO_SUCH_FAMILY, NOT_SERVING, IO. But
   *     for that one case the files are where they were then. TIMEOUT when the load is done and not
   *     visible yet: the call may be repeated
   */
  LoadReport loadFiles(LoadRequest request, BooleanSupplier mayWrite);

  /** Queues a compaction. */
  void compact(CompactionRequest request);

  /** Drops the pages of the region's files from the block cache; returns how many there were. */
  long clearCache();

  /**
   * Cuts the region for readers that take a part each, as {@link NativeFrozenRegion#pieces} does,
   * by the bytes of its files and of the cells in its memtables. Blocks while pages of row keys are
   * read, and takes up to 8 MiB of native memory. Any thread.
   *
   * @param pieceBytes above 0
   * @param timeMillis what takes longer is not cut any more: pieces are larger then, and none is
   *     missing
   * @return none for a region without rows
   * @throws EngineException NOT_SERVING, also when the region begins to close meanwhile; the kind
   *     of a page that cannot be read
   */
  List<RowPiece> pieces(long pieceBytes, long timeMillis);

  /** A row strictly inside the region that halves its data, or null. */
  byte[] splitPoint();

  /**
   * Ends the region: refuses new calls, waits for those inside, flushes unless aborting. A second
   * call does nothing.
   */
  void close(boolean abort);
}
