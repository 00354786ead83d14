package org.grampus.server.region;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.KeepDeletedCells;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.io.compress.Compression;
import org.apache.hadoop.hbase.regionserver.BloomType;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RegionRequestTest {
  private static final String ROOT = "/root";
  private static final TableName NAME = TableName.valueOf("ns", "t");
  private static final ColumnFamilyDescriptor PLAIN = ColumnFamilyDescriptorBuilder.of("f");

  private final Configuration conf = HBaseConfiguration.create();

  private static TableDescriptorBuilder table(TableName name, ColumnFamilyDescriptor family) {
    return TableDescriptorBuilder.newBuilder(name).setColumnFamily(family);
  }

  private JsonObject request(RegionInfo region, TableDescriptor table) {
    String json = RegionRequest.of(region, table, conf, ROOT, ROOT + "/region", null).json();
    return JsonParser.parseString(json).getAsJsonObject();
  }

  private JsonObject request(TableDescriptor table) {
    return request(RegionInfoBuilder.newBuilder(table.getTableName()).build(), table);
  }

  private JsonObject family(TableDescriptor table) {
    return request(table).getAsJsonArray("families").get(0).getAsJsonObject();
  }

  @Test
  void aRegionIsNamedWithItsPlaceAndKeys() {
    RegionInfo region =
        RegionInfoBuilder.newBuilder(NAME)
            .setStartKey(new byte[] {0, (byte) 0xAB})
            .setEndKey(Bytes.toBytes("z"))
            .build();
    JsonObject json = request(region, table(NAME, PLAIN).build());
    assertEquals("ns:t", json.get("table").getAsString());
    assertEquals(region.getEncodedName(), json.get("encodedName").getAsString());
    assertEquals("/root", json.get("rootDir").getAsString());
    assertEquals("/root/region", json.get("regionDir").getAsString());
    assertFalse(json.has("walRootDir"), "absent means in the region's directory");
    assertEquals("00ab", json.get("startKey").getAsString());
    assertEquals("7a", json.get("endKey").getAsString());
    assertEquals("bytes", json.get("rowOrder").getAsString());
    assertFalse(json.get("meta").getAsBoolean());
    assertFalse(json.has("regionFlushBytes"), "absent means unset");
  }

  @Test
  void aTablesOwnValuesGoBeforeTheServers() {
    conf.set("hbase.server.keyvalue.maxsize", "2000");
    conf.set("hbase.rowlock.wait.duration", "3000");
    conf.set("hbase.regionserver.optionalcacheflushinterval", "4000");
    conf.set("hbase.hregion.keyvalue.timestamp.slop.millisecs", "5000");
    conf.set("hbase.hregion.memstore.flush.size", "6000");
    JsonObject servers = request(table(NAME, PLAIN).build());
    JsonObject expected = new JsonObject();
    expected.addProperty("maxCellBytes", 2000L);
    expected.addProperty("rowLockWaitMillis", 3000);
    expected.addProperty("flushIntervalMillis", 4000L);
    expected.addProperty("timestampSlopMillis", 5000L);
    assertEquals(expected.toString(), servers.get("limits").toString());
    assertFalse(servers.has("regionFlushBytes"), "the engine has the server's");

    JsonObject tables =
        request(
            table(NAME, PLAIN)
                .setValue("hbase.server.keyvalue.maxsize", "-1")
                .setValue("hbase.rowlock.wait.duration", "30")
                .setValue("hbase.regionserver.optionalcacheflushinterval", "0")
                .setValue(
                    "hbase.hregion.keyvalue.timestamp.slop.millisecs",
                    String.valueOf(Long.MAX_VALUE))
                .setValue("hbase.hregion.memstore.flush.size", "60")
                .setValue("hbase.wal.hsync", "true")
                .build());
    expected = new JsonObject();
    expected.addProperty("maxCellBytes", 0L);
    expected.addProperty("rowLockWaitMillis", 30);
    expected.addProperty("flushIntervalMillis", 0L);
    assertEquals(expected.toString(), tables.get("limits").toString());
    assertEquals(60, tables.get("regionFlushBytes").getAsLong());
    assertEquals(3, servers.get("durability").getAsInt());
    assertEquals(4, tables.get("durability").getAsInt());
    JsonObject attribute =
        request(
            table(NAME, PLAIN)
                .setMemStoreFlushSize(70)
                .setValue("hbase.hregion.memstore.flush.size", "60")
                .build());
    assertEquals(70, attribute.get("regionFlushBytes").getAsLong());
  }

  @Test
  void theAgeUpToWhichMarkersStayIsTheServersTheTablesOrTheFamilys() {
    String key = "hbase.hstore.time.to.purge.deletes";
    String name = "purgeDeletesAfterMillis";
    assertEquals(0, family(table(NAME, PLAIN).build()).get(name).getAsLong());
    conf.set(key, "3000");
    assertEquals(3000, family(table(NAME, PLAIN).build()).get(name).getAsLong());
    TableDescriptorBuilder own = table(NAME, PLAIN).setValue(key, "2000");
    assertEquals(2000, family(own.build()).get(name).getAsLong());
    own.modifyColumnFamily(
        ColumnFamilyDescriptorBuilder.newBuilder(PLAIN).setConfiguration(key, "-1").build());
    assertEquals(0, family(own.build()).get(name).getAsLong());
  }

  @Test
  void aFamilysLargestRowGoesBeforeTheTables() {
    conf.set("hbase.table.max.rowsize", "3000");
    assertFalse(
        family(table(NAME, PLAIN).build()).has("maxRowBytes"), "the engine has the server's");
    TableDescriptorBuilder own = table(NAME, PLAIN).setValue("hbase.table.max.rowsize", "2000");
    assertEquals(2000, family(own.build()).get("maxRowBytes").getAsLong());
    own.modifyColumnFamily(
        ColumnFamilyDescriptorBuilder.newBuilder(PLAIN)
            .setConfiguration("hbase.table.max.rowsize", "1000")
            .build());
    assertEquals(1000, family(own.build()).get("maxRowBytes").getAsLong());
  }

  @Test
  void whatRequestsDoNotSayTheTableSays() {
    String demand = "hbase.hregion.scan.loadColumnFamiliesOnDemand";
    String verify = "hbase.hstore.bulkload.verify";
    TableDescriptor plain = table(NAME, PLAIN).build();
    assertEquals(RegionDefaults.HBASE, RegionDefaults.of(plain, new Configuration(false)));
    conf.set(demand, "false");
    conf.set(verify, "true");
    assertEquals(new RegionDefaults(false, true), RegionDefaults.of(plain, conf));
    TableDescriptorBuilder own =
        table(NAME, PLAIN).setValue(demand, "true").setValue(verify, "false");
    assertEquals(RegionDefaults.HBASE, RegionDefaults.of(own.build(), conf));
    own.setColumnFamily(
        ColumnFamilyDescriptorBuilder.newBuilder(Bytes.toBytes("g"))
            .setConfiguration(verify, "true")
            .build());
    assertEquals(new RegionDefaults(true, true), RegionDefaults.of(own.build(), conf));
  }

  @Test
  void theCatalogHasItsOwnRowOrderAndIsNotCompressed() {
    ColumnFamilyDescriptor family =
        ColumnFamilyDescriptorBuilder.newBuilder(Bytes.toBytes("info"))
            .setCompressionType(Compression.Algorithm.SNAPPY)
            .build();
    TableDescriptor meta = table(TableName.META_TABLE_NAME, family).build();
    JsonObject json = request(RegionInfoBuilder.FIRST_META_REGIONINFO, meta);
    assertEquals("meta", json.get("rowOrder").getAsString());
    assertTrue(json.get("meta").getAsBoolean());
    assertEquals("NONE", family(meta).get("compression").getAsString());
  }

  @ParameterizedTest
  @CsvSource({"USE_DEFAULT,3", "SKIP_WAL,1", "ASYNC_WAL,2", "SYNC_WAL,3", "FSYNC_WAL,4"})
  void everyDurabilityHasTheEnginesCode(Durability durability, int code) {
    TableDescriptor table = table(NAME, PLAIN).setDurability(durability).build();
    assertEquals(code, request(table).get("durability").getAsInt());
  }

  @Test
  void aTablesOwnSettingsArePassedOn() {
    JsonObject json =
        request(table(NAME, PLAIN).setReadOnly(true).setMemStoreFlushSize(1 << 20).build());
    assertTrue(json.get("readOnly").getAsBoolean());
    assertEquals(1 << 20, json.get("regionFlushBytes").getAsLong());
  }

  @Test
  void aFamilysSettingsArePassedOn() {
    ColumnFamilyDescriptor family =
        ColumnFamilyDescriptorBuilder.newBuilder(new byte[] {(byte) 0xFE})
            .setMaxVersions(7)
            .setMinVersions(2)
            .setTimeToLive(60)
            .setKeepDeletedCells(KeepDeletedCells.TTL)
            .setNewVersionBehavior(true)
            .setBloomFilterType(BloomType.ROWPREFIX_FIXED_LENGTH)
            .setConfiguration("RowPrefixBloomFilter.prefix_length", "4")
            .setBlocksize(8192)
            .setCompressionType(Compression.Algorithm.ZSTD)
            .build();
    JsonObject json = family(table(NAME, family).build());
    assertEquals("fe", json.get("name").getAsString());
    assertEquals(7, json.get("maxVersions").getAsInt());
    assertEquals(2, json.get("minVersions").getAsInt());
    assertEquals(60, json.get("ttlSeconds").getAsInt());
    assertEquals("TTL", json.get("keepDeletedCells").getAsString());
    assertTrue(json.get("newVersionBehavior").getAsBoolean());
    assertEquals("ROWPREFIX_FIXED_LENGTH", json.get("bloom").getAsString());
    assertEquals(4, json.get("bloomPrefixLength").getAsInt());
    assertEquals(8192, json.get("blockSize").getAsInt());
    assertEquals("ZSTD", json.get("compression").getAsString());
  }

  @Test
  void theCacheIsUsedAsHBaseDoesByDefault() {
    JsonObject json = family(table(NAME, PLAIN).build());
    assertTrue(json.get("blockCache").getAsBoolean());
    assertFalse(json.get("inMemory").getAsBoolean());
    assertFalse(json.get("cacheDataOnWrite").getAsBoolean());
    assertFalse(json.get("evictBlocksOnClose").getAsBoolean());
    assertFalse(json.get("prefetchBlocksOnOpen").getAsBoolean());
    assertFalse(json.has("cacheCompactedUpTo"));
  }

  @Test
  void aFamilysWishesForTheCacheArePassedOn() {
    ColumnFamilyDescriptor family =
        ColumnFamilyDescriptorBuilder.newBuilder(Bytes.toBytes("f"))
            .setBlockCacheEnabled(false)
            .setInMemory(true)
            .setCacheDataOnWrite(true)
            .setEvictBlocksOnClose(true)
            .setPrefetchBlocksOnOpen(true)
            .build();
    JsonObject json = family(table(NAME, family).build());
    assertFalse(json.get("blockCache").getAsBoolean());
    assertTrue(json.get("inMemory").getAsBoolean());
    assertTrue(json.get("cacheDataOnWrite").getAsBoolean());
    assertTrue(json.get("evictBlocksOnClose").getAsBoolean());
    assertTrue(json.get("prefetchBlocksOnOpen").getAsBoolean());
  }

  @Test
  void theServersWishesForTheCacheHoldForAllFamilies() {
    conf.setBoolean("hbase.block.data.cacheonread", false);
    conf.setBoolean("hbase.rs.cacheblocksonwrite", true);
    conf.setBoolean("hbase.rs.evictblocksonclose", true);
    conf.setBoolean("hbase.rs.prefetchblocksonopen", true);
    conf.setBoolean("hbase.rs.cachecompactedblocksonwrite", true);
    conf.setLong("hbase.rs.cachecompactedblocksonwrite.threshold", 1000);
    JsonObject json = family(table(NAME, PLAIN).build());
    assertFalse(json.get("blockCache").getAsBoolean());
    assertTrue(json.get("cacheDataOnWrite").getAsBoolean());
    assertTrue(json.get("evictBlocksOnClose").getAsBoolean());
    assertTrue(json.get("prefetchBlocksOnOpen").getAsBoolean());
    assertEquals(1000, json.get("cacheCompactedUpTo").getAsLong());
  }

  private static JsonObject compaction(JsonObject family) {
    return family.getAsJsonObject("compaction");
  }

  @Test
  void compactionsFollowHBasesDefaults() {
    JsonObject json = compaction(family(table(NAME, PLAIN).build()));
    assertEquals(3, json.get("filesMin").getAsInt());
    assertEquals(10, json.get("filesMax").getAsInt());
    assertEquals(128L << 20, json.get("bytesMin").getAsLong());
    assertEquals(Long.MAX_VALUE, json.get("bytesMax").getAsLong());
    assertEquals(1.2f, json.get("ratio").getAsFloat());
    assertEquals(2560L << 20, json.get("bytesLarge").getAsLong());
    assertEquals(16, json.get("filesBlocking").getAsInt());
    assertEquals(7 * 24 * 3_600_000L, json.get("majorPeriodMillis").getAsLong());
    assertEquals(0.5f, json.get("majorJitter").getAsFloat());
    assertTrue(request(table(NAME, PLAIN).build()).get("compactionEnabled").getAsBoolean());
  }

  @Test
  void everyKeyOfCompactionsIsObeyed() {
    conf.setInt("hbase.hstore.compaction.min", 4);
    conf.setInt("hbase.hstore.compaction.max", 7);
    conf.setLong("hbase.hstore.compaction.min.size", 5);
    conf.setLong("hbase.hstore.compaction.max.size", 6);
    conf.setFloat("hbase.hstore.compaction.ratio", 2.5f);
    conf.setLong("hbase.regionserver.thread.compaction.throttle", 8);
    conf.setInt("hbase.hstore.blockingStoreFiles", 9);
    conf.setLong("hbase.hregion.majorcompaction", 10);
    conf.setFloat("hbase.hregion.majorcompaction.jitter", 0.25f);
    JsonObject json = compaction(family(table(NAME, PLAIN).build()));
    assertEquals(
        "{\"filesMin\":4,\"filesMax\":7,\"bytesMin\":5,\"bytesMax\":6,\"ratio\":2.5,"
            + "\"bytesLarge\":8,\"filesBlocking\":9,\"majorPeriodMillis\":10,\"majorJitter\":0.25}",
        json.toString());
  }

  @Test
  void theFamilysKeyGoesBeforeTheTablesAndThatBeforeTheServers() {
    conf.setInt("hbase.hstore.compaction.min", 4);
    conf.setInt("hbase.hstore.compaction.max", 20);
    conf.setInt("hbase.hstore.blockingStoreFiles", 30);
    ColumnFamilyDescriptor family =
        ColumnFamilyDescriptorBuilder.newBuilder(Bytes.toBytes("f"))
            .setConfiguration("hbase.hstore.compaction.min", "6")
            .build();
    TableDescriptor table =
        table(NAME, family)
            .setValue("hbase.hstore.compaction.min", "5")
            .setValue("hbase.hstore.compaction.max", "21")
            .build();
    JsonObject json = compaction(family(table));
    assertEquals(6, json.get("filesMin").getAsInt());
    assertEquals(21, json.get("filesMax").getAsInt());
    assertEquals(30, json.get("filesBlocking").getAsInt());
  }

  @Test
  void theOldNameOfTheSmallestNumberAndTheTablesFlushSizeCount() {
    conf.unset("hbase.hstore.compaction.min.size");
    conf.unset("hbase.regionserver.thread.compaction.throttle");
    conf.setInt("hbase.hstore.compactionThreshold", 5);
    JsonObject json = compaction(family(table(NAME, PLAIN).setMemStoreFlushSize(1 << 20).build()));
    assertEquals(5, json.get("filesMin").getAsInt());
    assertEquals(1 << 20, json.get("bytesMin").getAsLong());
    assertEquals(20 << 20, json.get("bytesLarge").getAsLong());
  }

  @Test
  void aTableMayHaveNoCompactions() {
    TableDescriptor table = table(NAME, PLAIN).setCompactionEnabled(false).build();
    assertFalse(request(table).get("compactionEnabled").getAsBoolean());
  }

  @Test
  void foreverIsNoTimeToLive() {
    JsonObject json = family(table(NAME, PLAIN).build());
    assertFalse(json.has("ttlSeconds"));
    assertFalse(json.has("bloomPrefixLength"));
  }
}
