package org.grampus.server.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.grampus.engine.EngineConfig;
import org.grampus.engine.EngineRegion;
import org.grampus.engine.NativeEngine;
import org.grampus.engine.RegionStats;
import org.grampus.server.region.OnlineRegion;
import org.grampus.server.service.LoadStatistics;
import org.grampus.server.testkit.DelegatingRegion;
import org.grampus.server.testkit.StatsOfRegions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which size a region's memtables are compared with, under HBase's own defaults. */
class ClientBackpressureTest {
  private static final TableName NAME = TableName.valueOf("t");

  private final Configuration conf = HBaseConfiguration.create();
  private NativeEngine engine;
  private Snapshot now;

  @BeforeEach
  void take() {
    conf.setBoolean(HConstants.ENABLE_CLIENT_BACKPRESSURE, true);
    engine = NativeEngine.open(EngineConfig.DEFAULTS);
    now = new Snapshot(engine.metrics(0), List.of(), new RegionTotals(), 0, 0, 0, 0, 0, 0, 0);
  }

  @AfterEach
  void close() {
    engine.close();
  }

  private static TableDescriptorBuilder table() {
    return TableDescriptorBuilder.newBuilder(NAME)
        .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"));
  }

  private static OnlineRegion region(TableDescriptorBuilder table, long memstoreBytes) {
    RegionStats stats = StatsOfRegions.withMemtables(memstoreBytes);
    EngineRegion inEngine =
        new DelegatingRegion(null) {
          @Override
          public RegionStats stats() {
            return stats;
          }
        };
    return new OnlineRegion(RegionInfoBuilder.newBuilder(NAME).build(), table.build(), inEngine, 1);
  }

  private int load(Long flushBytes, OnlineRegion region) {
    return ClientBackpressure.from(conf, flushBytes, () -> now).of(region).getMemStoreLoad();
  }

  @Test
  void withoutAFlushSizeARegionMayHaveAllMemtables() {
    long limit = now.engine().get("memstore.limit_bytes");
    assertEquals(75, load(null, region(table(), limit / 4 * 3)));
  }

  @Test
  void theSizeOfTheTableGoesBeforeTheServers() {
    assertEquals(50, load(8L << 20, region(table(), 4 << 20)));
    assertEquals(25, load(8L << 20, region(table().setMemStoreFlushSize(16 << 20), 4 << 20)));
    TableDescriptorBuilder byKey =
        table().setValue(HConstants.HREGION_MEMSTORE_FLUSH_SIZE, String.valueOf(40 << 20));
    assertEquals(10, load(8L << 20, region(byKey, 4 << 20)));
  }

  @Test
  void nothingIsSaidUnlessItIsAskedFor() {
    conf.setBoolean(HConstants.ENABLE_CLIENT_BACKPRESSURE, false);
    assertSame(LoadStatistics.NONE, ClientBackpressure.from(conf, null, () -> now));
  }
}
