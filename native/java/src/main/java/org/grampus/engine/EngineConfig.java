package org.grampus.engine;

import com.google.gson.annotations.SerializedName;
import java.util.List;

/**
 * What an engine is opened with: {@code open} of docs/jni.md. A part, or a component of an object's
 * type, that is null has the engine's default. Sizes are in bytes, times in milliseconds.
 *
 * @param maxRowBytes no result has more of one store
 * @param nonceTtlMillis how long nonces are remembered
 */
public record EngineConfig(
    @Inline Memory memory,
    @Inline Wal wal,
    @Inline Flushes flushes,
    @Inline Compactions compactions,
    Long maxRowBytes,
    Long nonceTtlMillis) {
  /** Every default. */
  public static final EngineConfig DEFAULTS = new EngineConfig(null, null, null, null, null, null);

  /**
   * Memory.
   *
   * @param memtableBytes of all memtables
   * @param blockCacheBytes of the block cache
   * @param largeReadBytes that running reads of large pages take together
   * @param blockCacheTier null without a second tier
   */
  public record Memory(
      Long memtableBytes, Long blockCacheBytes, Long largeReadBytes, CacheTier blockCacheTier) {}

  /**
   * The second tier of the block cache.
   *
   * @param paths absolute paths, a file each
   * @param bytes of all files
   * @param reserve the files are allocated in full at the start
   * @param index absolute path of the file that keeps the index over a restart, or null
   */
  public record CacheTier(List<String> paths, long bytes, boolean reserve, String index) {}

  /**
   * The write-ahead logs.
   *
   * @param walSegmentBytes a segment is closed when it is larger
   * @param walSync what SYNC_WAL means
   * @param walSplitSkipErrors a split leaves out what it cannot read
   */
  public record Wal(long walSegmentBytes, Sync walSync, boolean walSplitSkipErrors) {}

  /** What a write waits for. */
  public enum Sync {
    /** That the operating system has it. */
    @SerializedName("flush")
    FLUSH,
    /** That it outlives this machine: FLUSH to data nodes, FSYNC on local and shared disks. */
    @SerializedName("machine")
    MACHINE,
    /** That the medium has it. */
    @SerializedName("fsync")
    FSYNC
  }

  /**
   * Flushes.
   *
   * @param flushThreads threads
   * @param regionFlushBytes a region is flushed when it holds more; null = only pressure counts
   * @param blockingWaitMillis how long they wait for compactions of stores with too many files
   */
  public record Flushes(int flushThreads, Long regionFlushBytes, long blockingWaitMillis) {}

  /**
   * Compactions.
   *
   * @param smallCompactionThreads threads for small ones
   * @param largeCompactionThreads threads for large ones
   * @param compactions whether they run
   * @param compactionRowBytesMax null = a quarter of the memtables
   * @param compactionBytesPerSecond null = no limit
   * @param compactionBytesPerSecondMax the same when a store is about to block flushes
   */
  public record Compactions(
      int smallCompactionThreads,
      int largeCompactionThreads,
      boolean compactions,
      Long compactionRowBytesMax,
      Long compactionBytesPerSecond,
      Long compactionBytesPerSecondMax) {
    /** None run. */
    public static final Compactions OFF = new Compactions(1, 1, false, null, null, null);
  }

  /** The same with other memory. */
  public EngineConfig with(Memory other) {
    return new EngineConfig(other, wal, flushes, compactions, maxRowBytes, nonceTtlMillis);
  }

  /** The same with other compactions. */
  public EngineConfig with(Compactions other) {
    return new EngineConfig(memory, wal, flushes, other, maxRowBytes, nonceTtlMillis);
  }

  /** As it crosses. */
  public String json() {
    return EngineJson.write(this);
  }
}
