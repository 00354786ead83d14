package org.grampus.engine;

import java.util.List;

/**
 * A region whose files do not change: {@code openFrozenRegion} of docs/jni.md.
 *
 * @param files the files, as a snapshot's manifest lists them; a file is looked for where HBase may
 *     have moved it since
 * @param rowBytesMax bytes of cells that a row may have of one family, as {@code
 *     hbase.table.max.rowsize}; a larger row is an error of the scan
 * @param cacheBytes bytes of pages that are kept in memory
 */
public record FrozenRegionRequest(
    Region region, SnapshotFiles files, long rowBytesMax, long cacheBytes) {
  /**
   * The region itself.
   *
   * @param table {@code ns:qualifier}, or the qualifier alone
   * @param rootDir {@code hbase.rootdir}: with a {@link FileOpener} what it understands, else a
   *     path or a URI of local files
   * @param startKey its first row; empty = open
   * @param endKey the first row behind it; empty = open
   */
  @SuppressWarnings("ArrayRecordComponent") // keys are bytes, and the record is only written
  public record Region(
      String table,
      String encodedName,
      String rootDir,
      byte[] startKey,
      byte[] endKey,
      RegionDescription.RowOrder rowOrder,
      List<FamilyDescription> families) {}
}
