package org.grampus.compat.table;

import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.CompoundConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.regionserver.BloomType;
import org.grampus.engine.FamilyDescription;

/** A table's families for the engine, from HBase's descriptors and a configuration. */
public final class FamilyAdapter {
  private static final String BLOOM_PREFIX_KEY = "RowPrefixBloomFilter.prefix_length";
  private static final String PURGE_DELETES_KEY = "hbase.hstore.time.to.purge.deletes";
  private static final String CACHE_ON_READ_KEY = "hbase.block.data.cacheonread";
  private static final String CACHE_ON_WRITE_KEY = "hbase.rs.cacheblocksonwrite";
  private static final String EVICT_ON_CLOSE_KEY = "hbase.rs.evictblocksonclose";
  private static final String PREFETCH_KEY = "hbase.rs.prefetchblocksonopen";
  private static final String CACHE_COMPACTED_KEY = "hbase.rs.cachecompactedblocksonwrite";
  private static final String CACHE_COMPACTED_THRESHOLD_KEY = CACHE_COMPACTED_KEY + ".threshold";

  private FamilyAdapter() {}

  /** The families in byte order of their names; the configuration is the server's or the job's. */
  public static List<FamilyDescription> families(TableDescriptor table, Configuration conf) {
    return Stream.of(table.getColumnFamilies()).map(family -> family(family, table, conf)).toList();
  }

  private static FamilyDescription family(
      ColumnFamilyDescriptor family, TableDescriptor table, Configuration conf) {
    Configuration store = storeConfiguration(family, table, conf);
    return new FamilyDescription(
        family.getName(),
        versions(family, store),
        files(family, table, store),
        cacheRules(family, store),
        maxRowBytes(family, table),
        CompactionAdapter.of(table, store));
  }

  /** As HBase's StoreUtils: what a store reads, its family or its table may say otherwise. */
  static Configuration storeConfiguration(
      ColumnFamilyDescriptor family, TableDescriptor table, Configuration conf) {
    return new CompoundConfiguration()
        .add(conf)
        .addBytesMap(table.getValues())
        .addStringMap(family.getConfiguration())
        .addBytesMap(family.getValues());
  }

  /** What the family or the table says itself: the server's limit is the engine's. */
  private static Long maxRowBytes(ColumnFamilyDescriptor family, TableDescriptor table) {
    Configuration own = storeConfiguration(family, table, new Configuration(false));
    String bytes = own.getTrimmed(HConstants.TABLE_MAX_ROWSIZE_KEY, "");
    return bytes.isEmpty()
        ? null
        : Long.valueOf(Math.max(0, own.getLongBytes(HConstants.TABLE_MAX_ROWSIZE_KEY, 0)));
  }

  private static FamilyDescription.Versions versions(
      ColumnFamilyDescriptor family, Configuration store) {
    int seconds = family.getTimeToLive();
    return new FamilyDescription.Versions(
        family.getMaxVersions(),
        family.getMinVersions(),
        seconds != HConstants.FOREVER && seconds > 0 ? Integer.valueOf(seconds) : null,
        family.getKeepDeletedCells().name(),
        family.isNewVersionBehavior(),
        Math.max(0, store.getLong(PURGE_DELETES_KEY, 0)));
  }

  private static FamilyDescription.Files files(
      ColumnFamilyDescriptor family, TableDescriptor table, Configuration store) {
    BloomType bloom = family.getBloomFilterType();
    return new FamilyDescription.Files(
        bloom.name(),
        bloom == BloomType.ROWPREFIX_FIXED_LENGTH
            ? Integer.valueOf(store.get(BLOOM_PREFIX_KEY))
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
        family.isBlockCacheEnabled() && conf.getBoolean(CACHE_ON_READ_KEY, true),
        family.isCacheDataOnWrite() || conf.getBoolean(CACHE_ON_WRITE_KEY, false),
        family.isEvictBlocksOnClose() || conf.getBoolean(EVICT_ON_CLOSE_KEY, false),
        family.isPrefetchBlocksOnOpen() || conf.getBoolean(PREFETCH_KEY, false),
        conf.getBoolean(CACHE_COMPACTED_KEY, false) ? compactedThreshold(conf) : null);
  }

  private static Long compactedThreshold(Configuration conf) {
    long threshold = conf.getLong(CACHE_COMPACTED_THRESHOLD_KEY, Long.MAX_VALUE);
    return threshold < 0 ? Long.MAX_VALUE : threshold;
  }
}
