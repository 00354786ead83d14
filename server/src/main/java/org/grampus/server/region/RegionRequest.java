package org.grampus.server.region;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.CompoundConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.grampus.compat.table.FamilyAdapter;
import org.grampus.engine.RegionDescription;
import org.grampus.engine.RegionDescription.RowOrder;

/** What the engine opens a region with, from HBase's descriptors. */
final class RegionRequest {
  // Codes of durabilities (docs/jni.md).
  private static final int SKIP_WAL = 1;
  private static final int ASYNC_WAL = 2;
  private static final int SYNC_WAL = 3;
  private static final int FSYNC_WAL = 4;

  private RegionRequest() {}

  /**
   * The request for a region of a table on a server with a configuration.
   *
   * @param rootDir as the engine names it, see {@link RegionFiles#place}; so is {@code regionDir}
   * @param walRootDir see {@link RegionFiles#walPlace}
   */
  static RegionDescription of(
      RegionInfo region,
      TableDescriptor table,
      Configuration conf,
      String rootDir,
      String regionDir,
      String walRootDir) {
    // As in HBase: what a region reads, its table may say otherwise.
    Configuration own = new CompoundConfiguration().add(conf).addBytesMap(table.getValues());
    long flushBytes = flushBytes(table);
    return new RegionDescription(
        new RegionDescription.Place(
            region.getTable().getNameAsString(),
            region.getEncodedName(),
            rootDir,
            regionDir,
            walRootDir,
            region.getStartKey(),
            region.getEndKey()),
        region.isMetaRegion() ? RowOrder.META : RowOrder.BYTES,
        region.isMetaRegion(),
        table.isReadOnly(),
        table.isCompactionEnabled(),
        durability(table, own),
        flushBytes > 0 ? Long.valueOf(flushBytes) : null,
        RegionLimits.of(own),
        FamilyAdapter.families(table, conf));
  }

  /** The engine's code for the table's durability; the default is HBase's. */
  private static int durability(TableDescriptor table, Configuration own) {
    return switch (table.getDurability()) {
      case SKIP_WAL -> SKIP_WAL;
      case ASYNC_WAL -> ASYNC_WAL;
      case USE_DEFAULT -> own.getBoolean("hbase.wal.hsync", false) ? FSYNC_WAL : SYNC_WAL;
      case SYNC_WAL -> SYNC_WAL;
      case FSYNC_WAL -> FSYNC_WAL;
    };
  }

  /** The table's own flush size, by its attribute or the key of the same meaning; 0 = none. */
  static long flushBytes(TableDescriptor table) {
    if (table.getMemStoreFlushSize() > 0) {
      return table.getMemStoreFlushSize();
    }
    String key = HConstants.HREGION_MEMSTORE_FLUSH_SIZE;
    return new CompoundConfiguration().addBytesMap(table.getValues()).getLongBytes(key, 0);
  }
}
