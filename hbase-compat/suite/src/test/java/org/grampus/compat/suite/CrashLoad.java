package org.grampus.compat.suite;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.grampus.compat.suite.target.ServerProcess;

/**
 * Puts of rows that are written once, and increments of one counter, with flushes, compactions and
 * log rolls between them until the server dies. Remembers what was acknowledged.
 */
final class CrashLoad {
  private static final TableName TABLE = TableName.valueOf("crashes");
  private static final byte[] F = Bytes.toBytes("f");
  private static final byte[] Q = Bytes.toBytes("q");
  private static final byte[] COUNTER = Bytes.toBytes("counter");
  private static final int PUTS_PER_ROUND = 100;
  private static final int ROUNDS_MAX = 12;
  private static final Duration END_MAX = Duration.ofSeconds(20);

  private final Set<String> acknowledged = new HashSet<>();
  private final Set<String> unanswered = new HashSet<>();
  private int rows;
  private long counted;
  private long perhapsCounted;

  /** Rows that the server has acknowledged. */
  int acknowledged() {
    return acknowledged.size();
  }

  /** Makes the table. */
  void createTable(Connection connection) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(TABLE)
              .setColumnFamily(
                  ColumnFamilyDescriptorBuilder.newBuilder(F).setMaxVersions(9).build())
              .build());
    }
  }

  /** Runs until the server is dead, at most a few rounds. */
  void run(Connection connection, ServerProcess server) throws IOException, InterruptedException {
    for (int round = 0; round < ROUNDS_MAX && server.isAlive(); round++) {
      try {
        putSome(connection);
        maintain(connection);
      } catch (IOException e) {
        awaitEnd(server, e);
      }
    }
  }

  /** A client hears of the death before the process has ended; any other failure is the test's. */
  private static void awaitEnd(ServerProcess server, IOException failure)
      throws IOException, InterruptedException {
    try {
      server.awaitEnd(END_MAX);
    } catch (IOException e) {
      failure.addSuppressed(e);
      throw failure;
    }
  }

  /** One round of writes. */
  void putSome(Connection connection) throws IOException {
    try (Table table = connection.getTable(TABLE)) {
      for (int i = 0; i < PUTS_PER_ROUND; i++) {
        String row = String.format("row-%06d", rows++);
        unanswered.add(row);
        table.put(new Put(Bytes.toBytes(row)).addColumn(F, Q, Bytes.toBytes(row)));
        unanswered.remove(row);
        acknowledged.add(row);
      }
      perhapsCounted++;
      table.increment(new Increment(COUNTER).addColumn(F, Q, 1));
      perhapsCounted--;
      counted++;
    }
  }

  private static void maintain(Connection connection) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      for (ServerName name : admin.getRegionServers()) {
        admin.rollWALWriter(name);
      }
      // Region by region: a flush of a table is a procedure, whose end the client awaits for long.
      for (RegionInfo region : admin.getRegions(TABLE)) {
        admin.flushRegion(region.getRegionName());
      }
      admin.majorCompact(TABLE);
    }
  }

  /** Every acknowledged row is there once, and nothing that was never sent. */
  void check(Connection connection) throws IOException {
    Map<String, Integer> seen = new HashMap<>();
    try (Table table = connection.getTable(TABLE);
        ResultScanner scanner = table.getScanner(new Scan().readAllVersions())) {
      for (Result result : scanner) {
        String row = Bytes.toString(result.getRow());
        if (!row.equals("counter")) {
          List<Cell> cells = result.listCells();
          seen.merge(row, cells.size(), Integer::sum);
          assertEquals(row, Bytes.toString(CellUtil.cloneValue(cells.get(0))));
          assertTrue(acknowledged.contains(row) || unanswered.contains(row), row);
        }
      }
      checkCounter(table);
    }
    for (String row : acknowledged) {
      assertEquals(1, seen.get(row), "times that the acknowledged row " + row + " is there");
    }
    for (String row : unanswered) {
      assertTrue(seen.getOrDefault(row, 0) <= 1, row + " is there more than once");
    }
  }

  private void checkCounter(Table table) throws IOException {
    byte[] value = table.get(new Get(COUNTER)).getValue(F, Q);
    long stored = value == null ? 0 : Bytes.toLong(value);
    assertTrue(
        stored >= counted && stored <= counted + perhapsCounted,
        "the counter is " + stored + " after " + counted + " acknowledged increments");
  }
}
