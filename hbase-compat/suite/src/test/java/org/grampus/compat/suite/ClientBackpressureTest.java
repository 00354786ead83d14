package org.grampus.compat.suite;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ClusterConnection;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.client.backoff.ServerStatistics;
import org.apache.hadoop.hbase.util.Bytes;
import org.grampus.compat.suite.target.Ports;
import org.grampus.compat.suite.target.ServerKind;
import org.grampus.compat.suite.target.ServerProcess;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What the stock client's tracker learns of a server's load where both are told to say and ask. */
class ClientBackpressureTest {
  private static final Duration SERVE_MAX = Duration.ofMinutes(2);
  private static final byte[] F = Bytes.toBytes("f");
  private static final byte[] Q = Bytes.toBytes("q");
  private static final int FLUSH_BYTES = 4 << 20;
  private static final int VALUE_BYTES = 100 << 10;

  private static ServerProcess server;
  private static Connection connection;

  @BeforeAll
  static void start() throws Exception {
    assumeTrue(
        SharedServer.kind() == ServerKind.GRAMPUS,
        "a stock HBase 2.6.1 reads a freed request when it writes the statistics, and its JVM dies");
    Path work = Path.of(System.getProperty("grampus.compat.work", "target/servers"));
    Path directory = Files.createTempDirectory(Files.createDirectories(work), "backpressure");
    server =
        new ServerProcess(
            SharedServer.kind(),
            directory,
            Ports.free(),
            Map.of(HConstants.ENABLE_CLIENT_BACKPRESSURE, "true"));
    server.start();
    server.awaitServing(SERVE_MAX);
    Configuration conf = server.clientConfiguration();
    conf.setBoolean(HConstants.ENABLE_CLIENT_BACKPRESSURE, true);
    connection = ConnectionFactory.createConnection(conf);
  }

  @AfterAll
  static void stop() throws Exception {
    if (connection != null) {
      connection.close();
    }
    if (server != null) {
      server.close();
    }
  }

  private static Table create(TableName name, byte[]... splits) throws Exception {
    try (Admin admin = connection.getAdmin()) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(name)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
              .setMemStoreFlushSize(FLUSH_BYTES)
              .build(),
          splits);
    }
    return connection.getTable(name);
  }

  private static Put put(String row) {
    return new Put(Bytes.toBytes(row)).addColumn(F, Q, new byte[VALUE_BYTES]);
  }

  /** What is known of the region of a row; null for nothing. */
  private static ServerStatistics.RegionStatistics known(TableName table, String row)
      throws Exception {
    try (RegionLocator locator = connection.getRegionLocator(table)) {
      HRegionLocation region = locator.getRegionLocation(Bytes.toBytes(row));
      ServerStatistics all =
          ((ClusterConnection) connection).getStatisticsTracker().getStats(region.getServerName());
      return all == null ? null : all.getStatsForRegion(region.getRegion().getRegionName());
    }
  }

  @Test
  void aBatchTellsHowFullTheMemtablesOfItsRegionsAre() throws Exception {
    TableName name = TableName.valueOf("pressed");
    try (Table table = create(name, Bytes.toBytes("m"))) {
      List<Put> puts = new ArrayList<>();
      for (int i = 0; i < 10; i++) {
        puts.add(put("a" + i));
      }
      puts.add(put("z"));
      table.put(puts);
      ServerStatistics.RegionStatistics full = known(name, "a");
      ServerStatistics.RegionStatistics empty = known(name, "z");
      assertNotNull(full);
      assertNotNull(empty);
      // ten values of 100 KiB are a quarter of 4 MiB, with what each server adds to a cell
      assertEquals(25, full.getMemStoreLoadPercent(), 3);
      assertEquals(3, empty.getMemStoreLoadPercent(), 1);
      assertEquals(0, full.getCompactionPressure());
      assertTrue(full.getHeapOccupancyPercent() <= 100);
    }
  }

  @Test
  void aSinglePutTellsNothing() throws Exception {
    TableName name = TableName.valueOf("unpressed");
    try (Table table = create(name)) {
      table.put(put("a"));
      assertEquals(null, known(name, "a"));
    }
  }
}
