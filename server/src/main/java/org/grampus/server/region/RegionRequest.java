package org.grampus.server.region;

import java.nio.file.Path;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.CompoundConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.regionserver.BloomType;
import org.apache.hadoop.hbase.regionserver.StoreUtils;
import org.grampus.engine.FamilyDescription;
import org.grampus.engine.RegionDescription;
import org.grampus.engine.RegionDescription.RowOrder;

/** What the engine opens a region with, from HBase's descriptors. */
final class RegionRequest {
  private static final String BLOOM_PREFIX_LENGTH = "RowPrefixBloomFilter.prefix_length";

  // Codes of durabilities (docs/jni.md).
  private static final int SKIP_WAL = 1;
  private static final int ASYNC_WAL = 2;
  private static final int SYNC_WAL = 3;
  private static final int FSYNC_WAL = 4;

  private RegionRequest() {}

  /** The request for a region of a table on a server with a configuration. */
  static RegionDescription of(
      RegionInfo region, TableDescriptor table, Configuration conf, Path rootDir, Path regionDir) {
    // As in HBase: what a region reads, its table may say otherwise.
    Configuration own = new CompoundConfiguration().add(conf).addBytesMap(table.getValues());
    long flushBytes = flushBytes(table, own);
    return new RegionDescription(
        new RegionDescription.Place(
            region.getTable().getNameAsString(),
            region.getEncodedName(),
            rootDir.toString(),
            regionDir.toString(),
            region.getStartKey(),
            region.getEndKey()),
        region.isMetaRegion() ? RowOrder.META : RowOrder.BYTES,
        region.isMetaRegion(),
        table.isReadOnly(),
        table.isCompactionEnabled(),
        durability(table, own),
        flushBytes > 0 ? Long.valueOf(flushBytes) : null,
        RegionLimits.of(own),
        Stream.of(table.getColumnFamilies()).map(family -> family(family, table, conf)).toList());
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
  private static long flushBytes(TableDescriptor table, Configuration own) {
    if (table.getMemStoreFlushSize() > 0) {
      return table.getMemStoreFlushSize();
    }
    String key = HConstants.HREGION_MEMSTORE_FLUSH_SIZE;
    return table.getValue(key) == null ? 0 : own.getLongBytes(key, 0);
  }

  private static FamilyDescription family(
      ColumnFamilyDescriptor family, TableDescriptor table, Configuration conf) {
    Configuration store = StoreUtils.createStoreConfiguration(conf, table, family);
    return new FamilyDescription(
        family.getName(),
        versions(family),
        files(family, table, store),
        cacheRules(family, store),
        FamilyCompaction.of(table, store));
  }

  private static FamilyDescription.Versions versions(ColumnFamilyDescriptor family) {
    int seconds = family.getTimeToLive();
    return new FamilyDescription.Versions(
        family.getMaxVersions(),
        family.getMinVersions(),
        seconds != HConstants.FOREVER && seconds > 0 ? Integer.valueOf(seconds) : null,
        family.getKeepDeletedCells().name(),
        family.isNewVersionBehavior());
  }

  private static FamilyDescription.Files files(
      ColumnFamilyDescriptor family, TableDescriptor table, Configuration store) {
    BloomType bloom = family.getBloomFilterType();
    return new FamilyDescription.Files(
        bloom.name(),
        bloom == BloomType.ROWPREFIX_FIXED_LENGTH
            ? Integer.valueOf(store.get(BLOOM_PREFIX_LENGTH))
            : null,
        family.getBlocksize(),
        // System tables stay uncompressed: their few rows are read at every start.
        table.getTableName().isSystemTable() ? "NONE" : family.getCompressionType().name());
  }

  /**
   * What the family wants of the block cache. As in HBase, a key of the server's, the table's or
   * the family's configuration switches on what the family's attribute leaves off, and reads cache
   * only if both want it.
   */
  private static FamilyDescription.CacheRules cacheRules(
      ColumnFamilyDescriptor family, Configuration conf) {
    return new FamilyDescription.CacheRules(
        family.isInMemory(),
        family.isBlockCacheEnabled() && conf.getBoolean(CacheConfig.CACHE_DATA_ON_READ_KEY, true),
        family.isCacheDataOnWrite()
            || conf.getBoolean(CacheConfig.CACHE_BLOCKS_ON_WRITE_KEY, false),
        family.isEvictBlocksOnClose()
            || conf.getBoolean(CacheConfig.EVICT_BLOCKS_ON_CLOSE_KEY, false),
        family.isPrefetchBlocksOnOpen()
            || conf.getBoolean(CacheConfig.PREFETCH_BLOCKS_ON_OPEN_KEY, false),
        conf.getBoolean(CacheConfig.CACHE_COMPACTED_BLOCKS_ON_WRITE_KEY, false)
            ? compactedThreshold(conf)
            : null);
  }

  private static Long compactedThreshold(Configuration conf) {
    long threshold =
        conf.getLong(CacheConfig.CACHE_COMPACTED_BLOCKS_ON_WRITE_THRESHOLD_KEY, Long.MAX_VALUE);
    return threshold < 0 ? Long.MAX_VALUE : threshold;
  }
}
