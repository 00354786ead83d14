package org.grampus.compat.suite.hostile;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/** The tables of the victim, one region each. */
final class Tables {
  /** The only row of the large and of the wide table. */
  static final String ROW = "row";

  static final byte[] FAMILY = Bytes.toBytes("f");
  static final TableName GOOD = TableName.valueOf("good");
  private static final TableName SMALL = TableName.valueOf("small");
  private static final TableName LARGE = TableName.valueOf("large");
  private static final TableName WIDE = TableName.valueOf("wide");

  private static final int SMALL_ROWS = 100_000;
  private static final int BATCH = 5_000;
  private static final int LARGE_CELLS = 25;
  private static final int LARGE_CELL_BYTES = 8_000_000;
  private static final int WIDE_COLUMNS = 1_000_000;

  private Tables() {}

  /** Makes and fills the tables. */
  static Victim create(Connection connection, int port) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      for (TableName name : List.of(GOOD, SMALL, LARGE, WIDE)) {
        admin.createTable(
            TableDescriptorBuilder.newBuilder(name)
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
                .build());
      }
      fillSmall(connection);
      fillLarge(connection);
      fillWide(connection);
      for (TableName name : List.of(SMALL, LARGE, WIDE)) {
        admin.flush(name);
      }
    }
    return new Victim(
        port, region(connection, SMALL), region(connection, LARGE), region(connection, WIDE), 0);
  }

  private static byte[] region(Connection connection, TableName name) throws IOException {
    try (RegionLocator locator = connection.getRegionLocator(name)) {
      return locator.getAllRegionLocations().get(0).getRegion().getRegionName();
    }
  }

  private static void fillSmall(Connection connection) throws IOException {
    try (Table table = connection.getTable(SMALL)) {
      List<Put> batch = new ArrayList<>();
      for (int i = 0; i < SMALL_ROWS; i++) {
        Put put = new Put(Bytes.toBytes(String.format("%08d", i)));
        batch.add(put.addColumn(FAMILY, Bytes.toBytes("q"), new byte[100]));
        if (batch.size() == BATCH) {
          table.put(batch);
          batch.clear();
        }
      }
    }
  }

  private static void fillLarge(Connection connection) throws IOException {
    Random random = new Random(1);
    byte[] value = new byte[LARGE_CELL_BYTES];
    try (Table table = connection.getTable(LARGE)) {
      for (int i = 0; i < LARGE_CELLS; i++) {
        random.nextBytes(value);
        table.put(new Put(Bytes.toBytes(ROW)).addColumn(FAMILY, Bytes.toBytes(i), value));
      }
    }
  }

  private static void fillWide(Connection connection) throws IOException {
    try (Table table = connection.getTable(WIDE)) {
      for (int i = 0; i < WIDE_COLUMNS; i += BATCH) {
        Put put = new Put(Bytes.toBytes(ROW));
        for (int column = i; column < i + BATCH; column++) {
          put.addColumn(FAMILY, Bytes.toBytes(column), Bytes.toBytes(column));
        }
        table.put(put);
      }
    }
  }
}
