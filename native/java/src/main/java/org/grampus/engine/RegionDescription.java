package org.grampus.engine;

import com.google.gson.annotations.SerializedName;
import java.util.List;

/**
 * A region that is to be opened: {@code openRegion} of docs/jni.md. A component of an object's type
 * that is null has the engine's default.
 *
 * @param meta whether it is hbase:meta, which has a log and an order of rows of its own
 * @param durability the table's, a code of docs/jni.md
 * @param regionFlushBytes the table's own, or null
 */
public record RegionDescription(
    @Inline Place place,
    RowOrder rowOrder,
    boolean meta,
    boolean readOnly,
    boolean compactionEnabled,
    int durability,
    Long regionFlushBytes,
    Limits limits,
    List<FamilyDescription> families) {
  /**
   * Where a region is.
   *
   * @param table {@code ns:qualifier}, or the qualifier alone
   * @param rootDir absolute
   * @param regionDir absolute
   * @param walRootDir where recovered edits and sequence id files are, below directories as those
   *     of {@code rootDir}; null = in the region's directory
   * @param startKey its first row; empty = open
   * @param endKey the first row behind it; empty = open
   */
  @SuppressWarnings("ArrayRecordComponent") // keys are bytes, and the record is only written
  public record Place(
      String table,
      String encodedName,
      String rootDir,
      String regionDir,
      String walRootDir,
      byte[] startKey,
      byte[] endKey) {}

  /** The order of rows. */
  public enum RowOrder {
    /** That of their bytes. */
    @SerializedName("bytes")
    BYTES,
    /** That of hbase:meta. */
    @SerializedName("meta")
    META
  }

  /**
   * What a region allows.
   *
   * @param maxCellBytes 0 = no limit
   * @param rowLockWaitMillis how long a call waits for row locks
   * @param flushIntervalMillis edits older than this are flushed
   * @param timestampSlopMillis how far puts may be in the future; null = no limit
   */
  public record Limits(
      Long maxCellBytes,
      Integer rowLockWaitMillis,
      Long flushIntervalMillis,
      Long timestampSlopMillis) {}

  /** As it crosses. */
  public String json() {
    return EngineJson.write(this);
  }
}
