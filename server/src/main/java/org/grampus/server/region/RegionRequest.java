package org.grampus.server.region;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.CompoundConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.regionserver.BloomType;
import org.apache.hadoop.hbase.regionserver.StoreUtils;
import org.apache.hadoop.hbase.util.Bytes;

/** The engine's {@code openRegion} request (docs/jni.md) from HBase's descriptors. */
final class RegionRequest {
  private static final String BLOOM_PREFIX_LENGTH = "RowPrefixBloomFilter.prefix_length";

  // Codes of durabilities (docs/jni.md).
  private static final int SKIP_WAL = 1;
  private static final int ASYNC_WAL = 2;
  private static final int SYNC_WAL = 3;
  private static final int FSYNC_WAL = 4;

  private RegionRequest() {}

  /** The request for a region of a table on a server with a configuration. */
  static String json(
      RegionInfo region, TableDescriptor table, Configuration conf, Path rootDir, Path regionDir) {
    // As in HBase: what a region reads, its table may say otherwise.
    Configuration own = new CompoundConfiguration().add(conf).addBytesMap(table.getValues());
    JsonObject json = new JsonObject();
    json.addProperty("table", region.getTable().getNameAsString());
    json.addProperty("encodedName", region.getEncodedName());
    json.addProperty("rootDir", rootDir.toString());
    json.addProperty("regionDir", regionDir.toString());
    json.addProperty("startKey", Bytes.toHex(region.getStartKey()));
    json.addProperty("endKey", Bytes.toHex(region.getEndKey()));
    json.addProperty("rowOrder", region.isMetaRegion() ? "meta" : "bytes");
    json.addProperty("meta", region.isMetaRegion());
    json.addProperty("readOnly", table.isReadOnly());
    json.addProperty("compactionEnabled", table.isCompactionEnabled());
    json.addProperty("durability", durability(table, own));
    long flushBytes = flushBytes(table, own);
    if (flushBytes > 0) {
      json.addProperty("regionFlushBytes", flushBytes);
    }
    json.add("limits", RegionLimits.json(own));
    JsonArray families = new JsonArray();
    for (ColumnFamilyDescriptor family : table.getColumnFamilies()) {
      families.add(family(family, table, conf));
    }
    json.add("families", families);
    return json.toString();
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

  private static JsonObject family(
      ColumnFamilyDescriptor family, TableDescriptor table, Configuration conf) {
    Configuration store = StoreUtils.createStoreConfiguration(conf, table, family);
    JsonObject json = new JsonObject();
    json.addProperty("name", Bytes.toHex(family.getName()));
    json.addProperty("maxVersions", family.getMaxVersions());
    json.addProperty("minVersions", family.getMinVersions());
    if (family.getTimeToLive() != HConstants.FOREVER && family.getTimeToLive() > 0) {
      json.addProperty("ttlSeconds", family.getTimeToLive());
    }
    json.addProperty("keepDeletedCells", family.getKeepDeletedCells().name());
    json.addProperty("newVersionBehavior", family.isNewVersionBehavior());
    json.addProperty("bloom", family.getBloomFilterType().name());
    if (family.getBloomFilterType() == BloomType.ROWPREFIX_FIXED_LENGTH) {
      json.addProperty("bloomPrefixLength", Integer.parseInt(store.get(BLOOM_PREFIX_LENGTH)));
    }
    json.addProperty("blockSize", family.getBlocksize());
    // System tables stay uncompressed: their few rows are read at every start (design D9).
    json.addProperty(
        "compression",
        table.getTableName().isSystemTable() ? "NONE" : family.getCompressionType().name());
    addCacheRules(json, family, store);
    json.add("compaction", FamilyCompaction.json(table, store));
    return json;
  }

  /**
   * What the family wants of the block cache. As in HBase, a key of the server's, the table's or
   * the family's configuration switches on what the family's attribute leaves off, and reads cache
   * only if both want it.
   */
  private static void addCacheRules(
      JsonObject json, ColumnFamilyDescriptor family, Configuration conf) {
    json.addProperty("inMemory", family.isInMemory());
    json.addProperty(
        "blockCache",
        family.isBlockCacheEnabled() && conf.getBoolean(CacheConfig.CACHE_DATA_ON_READ_KEY, true));
    json.addProperty(
        "cacheDataOnWrite",
        family.isCacheDataOnWrite()
            || conf.getBoolean(CacheConfig.CACHE_BLOCKS_ON_WRITE_KEY, false));
    json.addProperty(
        "evictBlocksOnClose",
        family.isEvictBlocksOnClose()
            || conf.getBoolean(CacheConfig.EVICT_BLOCKS_ON_CLOSE_KEY, false));
    json.addProperty(
        "prefetchBlocksOnOpen",
        family.isPrefetchBlocksOnOpen()
            || conf.getBoolean(CacheConfig.PREFETCH_BLOCKS_ON_OPEN_KEY, false));
    if (conf.getBoolean(CacheConfig.CACHE_COMPACTED_BLOCKS_ON_WRITE_KEY, false)) {
      long threshold =
          conf.getLong(CacheConfig.CACHE_COMPACTED_BLOCKS_ON_WRITE_THRESHOLD_KEY, Long.MAX_VALUE);
      json.addProperty("cacheCompactedUpTo", threshold < 0 ? Long.MAX_VALUE : threshold);
    }
  }
}
