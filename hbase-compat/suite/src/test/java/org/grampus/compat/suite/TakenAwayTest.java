package org.grampus.compat.suite;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.grampus.compat.suite.target.Ports;
import org.grampus.compat.suite.target.ServerKind;
import org.grampus.compat.suite.target.ServerProcess;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What the master took away from a table stays away when the whole process, the master with it, is
 * killed right afterwards; what was written since stays, too. Each history has a table of its own,
 * and all meet the same kills.
 */
@Tag("long")
class TakenAwayTest {
  private static final Duration SERVE_MAX = Duration.ofMinutes(3);
  private static final byte[] F = Bytes.toBytes("f");
  private static final byte[] G = Bytes.toBytes("g");
  private static final byte[] Q = Bytes.toBytes("q");

  private final Map<TableName, String> expected = new TreeMap<>();
  private ServerProcess server;

  /** What is done to a table before the kill. */
  private interface History {
    void play(Admin admin, Table table) throws Exception;
  }

  @AfterEach
  void killServer() throws InterruptedException {
    if (server != null) {
      server.close();
    }
  }

  @Test
  void whatWasTakenAwayStaysAwayAndTheRestStays() throws Exception {
    assumeTrue(
        SharedServer.kind() == ServerKind.GRAMPUS,
        "docs/compat-matrix.md: a stock HBase brings it back when its master dies, too");
    Path work = Path.of(System.getProperty("grampus.compat.work", "target/servers"));
    Path directory = Files.createTempDirectory(Files.createDirectories(work), "taken");
    server = new ServerProcess(ServerKind.GRAMPUS, directory, Ports.free(), Map.of());
    serve();
    try (Connection connection = connect()) {
      play(connection, "restored", "af ag cf cg", TakenAwayTest::restoreASnapshot);
      play(connection, "truncated", "cf cg zf zg", TakenAwayTest::truncateARegion);
      play(connection, "family", "af bf bg", TakenAwayTest::dropAFamilyAndAddItAgain);
      play(connection, "cloned", "af ag cf cg", TakenAwayTest::cloneUnderTheNameOfADroppedTable);
    }
    // Twice: the second recovery finds what the first one left.
    for (int kill = 1; kill <= 2; kill++) {
      server.kill();
      serve();
      try (Connection connection = connect()) {
        assertEquals(expected, cells(connection), "after kill " + kill);
      }
    }
  }

  private void serve() throws IOException, InterruptedException {
    server.start();
    server.awaitServing(SERVE_MAX);
  }

  private Connection connect() throws IOException {
    return ConnectionFactory.createConnection(server.clientConfiguration());
  }

  private void play(Connection connection, String table, String leaves, History history)
      throws Exception {
    TableName name = TableName.valueOf(table);
    try (Admin admin = connection.getAdmin();
        Table target = connection.getTable(name)) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(name)
              .setColumnFamilies(List.of(family(F), family(G)))
              .build(),
          new byte[][] {Bytes.toBytes("m")});
      history.play(admin, target);
    }
    expected.put(name, leaves);
    assertEquals(expected, cells(connection));
  }

  private static void restoreASnapshot(Admin admin, Table table) throws IOException {
    put(table, "a");
    admin.flush(table.getName());
    admin.snapshot("before", table.getName());
    table.delete(new Delete(Bytes.toBytes("a")));
    put(table, "b");
    admin.disableTable(table.getName());
    admin.restoreSnapshot("before");
    admin.enableTable(table.getName());
    put(table, "c");
  }

  private static void truncateARegion(Admin admin, Table table) throws Exception {
    put(table, "a", "b", "c", "d", "e", "z");
    byte[] region = admin.getRegions(table.getName()).get(0).getRegionName();
    admin.truncateRegionAsync(region).get(SERVE_MAX.toSeconds(), TimeUnit.SECONDS);
    put(table, "c");
  }

  private static void dropAFamilyAndAddItAgain(Admin admin, Table table) throws IOException {
    put(table, "a", "b");
    admin.deleteColumnFamily(table.getName(), G);
    admin.addColumnFamily(table.getName(), family(G));
    table.put(new Put(Bytes.toBytes("b")).addColumn(G, Q, Q));
  }

  private static void cloneUnderTheNameOfADroppedTable(Admin admin, Table table)
      throws IOException {
    put(table, "a");
    admin.snapshot("ofDropped", table.getName());
    put(table, "b");
    admin.disableTable(table.getName());
    admin.deleteTable(table.getName());
    admin.cloneSnapshot("ofDropped", table.getName());
    put(table, "c");
  }

  private static ColumnFamilyDescriptor family(byte[] family) {
    return ColumnFamilyDescriptorBuilder.of(family);
  }

  private static void put(Table table, String... rows) throws IOException {
    for (String row : rows) {
      table.put(new Put(Bytes.toBytes(row)).addColumn(F, Q, Q).addColumn(G, Q, Q));
    }
  }

  /** Row and family of each cell of each table. */
  private Map<TableName, String> cells(Connection connection) throws IOException {
    Map<TableName, String> tables = new TreeMap<>();
    for (TableName name : expected.keySet()) {
      List<String> cells = new ArrayList<>();
      try (Table table = connection.getTable(name);
          ResultScanner scanner = table.getScanner(new Scan())) {
        for (Result result : scanner) {
          for (Cell cell : result.rawCells()) {
            String row = Bytes.toString(CellUtil.cloneRow(cell));
            cells.add(row + Bytes.toString(CellUtil.cloneFamily(cell)));
          }
        }
      }
      tables.put(name, String.join(" ", cells));
    }
    return tables;
  }
}
