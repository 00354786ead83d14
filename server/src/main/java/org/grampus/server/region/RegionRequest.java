package org.grampus.server.region;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import java.nio.file.Path;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.regionserver.BloomType;
import org.apache.hadoop.hbase.util.Bytes;

/** The engine's {@code openRegion} request (docs/jni.md) from HBase's descriptors. */
final class RegionRequest {
  private static final String BLOOM_PREFIX_LENGTH = "RowPrefixBloomFilter.prefix_length";

  private RegionRequest() {}

  static String json(RegionInfo region, TableDescriptor table, Path rootDir, Path regionDir) {
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
    json.addProperty("durability", durability(table));
    if (table.getMemStoreFlushSize() > 0) {
      json.addProperty("regionFlushBytes", table.getMemStoreFlushSize());
    }
    JsonArray families = new JsonArray();
    for (ColumnFamilyDescriptor family : table.getColumnFamilies()) {
      families.add(family(family, region.getTable()));
    }
    json.add("families", families);
    return json.toString();
  }

  /** The engine's code for the table's durability; the default is HBase's. */
  private static int durability(TableDescriptor table) {
    return switch (table.getDurability()) {
      case SKIP_WAL -> 1;
      case ASYNC_WAL -> 2;
      case USE_DEFAULT, SYNC_WAL -> 3;
      case FSYNC_WAL -> 4;
    };
  }

  private static JsonObject family(ColumnFamilyDescriptor family, TableName table) {
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
      json.addProperty(
          "bloomPrefixLength", Integer.parseInt(family.getConfigurationValue(BLOOM_PREFIX_LENGTH)));
    }
    json.addProperty("blockSize", family.getBlocksize());
    // System tables stay uncompressed: their few rows are read at every start (design D9).
    json.addProperty(
        "compression", table.isSystemTable() ? "NONE" : family.getCompressionType().name());
    json.addProperty("inMemory", family.isInMemory());
    json.addProperty("blockCache", family.isBlockCacheEnabled());
    json.addProperty("cacheDataOnWrite", family.isCacheDataOnWrite());
    json.addProperty("evictBlocksOnClose", family.isEvictBlocksOnClose());
    json.addProperty("prefetchBlocksOnOpen", family.isPrefetchBlocksOnOpen());
    return json;
  }
}
