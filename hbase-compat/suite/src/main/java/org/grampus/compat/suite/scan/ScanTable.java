package org.grampus.compat.suite.scan;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A table of random rows in four regions, the same for the same seed. One table has no cell that is
 * hidden. One has delete markers and too many versions: which of these a flush leaves out is the
 * server's own affair, and so are the counts of rows with nothing visible. Both are flushed: what
 * HBase counts for a cell in a memstore depends on the chunk that the cell lies in. The third has
 * half of its cells in memory, and is so small that no limit of bytes is reached.
 */
final class ScanTable {
  static final TableName PLAIN = TableName.valueOf("scans");
  static final TableName HIDING = TableName.valueOf("scans-with-hidden-cells");
  static final TableName MIXED = TableName.valueOf("scans-of-memory-and-files");
  static final List<byte[]> FAMILIES = List.of(b("a"), b("b"), b("c"));
  static final int COLUMNS = 8;
  static final int TIMESTAMPS = 20;

  /** Rows have keys with two letters and two digits, so that prefixes and patterns find some. */
  static final int KEYS = 400;

  /** More than the cells of {@link #MIXED} have, in bytes. */
  static final int MIXED_BYTES_MAX = 2 << 20;

  private static final byte[][] SPLITS = {b("ad05"), b("bb10"), b("ca")};
  private static final int VERSIONS_KEPT = 5;
  private static final int VERSIONS_HIDING = 2;
  private static final int TINY_VALUE = 40;
  private static final int LARGE_ROW_CELLS = 12;

  private final Random random;
  private final int largestRow;
  private final TableName name;

  /** What the cells that were written take of a Java heap. */
  private long writtenBytes;

  ScanTable(TableName name, long seed, int largestRow) {
    this.name = name;
    this.random = new Random(seed);
    this.largestRow = largestRow;
  }

  static byte[] b(String text) {
    return Bytes.toBytes(text);
  }

  static byte[] key(int n) {
    return b(
        ""
            + (char) ('a' + n / 160)
            + (char) ('a' + n / 40 % 4)
            + (char) ('0' + n / 10 % 4)
            + (char) ('0' + n % 10));
  }

  static byte[] qualifier(int n) {
    return b((n < COLUMNS / 2 ? "p" : "q") + n);
  }

  void create(Connection connection) throws IOException {
    try (Admin admin = connection.getAdmin();
        Table table = connection.getTable(name)) {
      admin.createTable(descriptor(), SPLITS);
      for (int part = 0; part < 2; part++) {
        for (int n = 0; n < KEYS; n++) {
          if (random.nextInt(3) > 0) {
            table.put(row(key(n)));
          }
        }
        if (name.equals(HIDING)) {
          delete(table);
        }
        if (part == 1 && name.equals(MIXED)) {
          checkMixed(admin);
          return;
        }
        admin.flush(name);
      }
      for (int i = 0; i < 6; i++) {
        table.put(largeRow(key(random.nextInt(KEYS))));
        admin.flush(name);
      }
    }
  }

  private TableDescriptor descriptor() {
    TableDescriptorBuilder descriptor = TableDescriptorBuilder.newBuilder(name);
    int versions = name.equals(HIDING) ? VERSIONS_HIDING : VERSIONS_KEPT;
    for (byte[] family : FAMILIES) {
      descriptor.setColumnFamily(
          ColumnFamilyDescriptorBuilder.newBuilder(family).setMaxVersions(versions).build());
    }
    return descriptor.setCompactionEnabled(false).build();
  }

  /** The first half is in one file of each family, so the second is in memory, and all is small. */
  private void checkMixed(Admin admin) throws IOException {
    List<Integer> files = new ArrayList<>();
    for (ServerName server : admin.getRegionServers()) {
      admin.getRegionMetrics(server, name).forEach(r -> files.add(r.getStoreFileCount()));
    }
    boolean halfInFiles = files.equals(Collections.nCopies(SPLITS.length + 1, FAMILIES.size()));
    if (!halfInFiles || writtenBytes >= MIXED_BYTES_MAX) {
      throw new IllegalStateException(
          name + " has " + writtenBytes + " bytes, and its regions have so many files: " + files);
    }
  }

  private List<Put> row(byte[] key) {
    List<Put> puts = new ArrayList<>();
    for (byte[] family : FAMILIES) {
      if (random.nextInt(4) == 0) {
        continue;
      }
      for (int column = 0; column < COLUMNS; column++) {
        for (int version = random.nextInt(3); version > 0; version--) {
          byte[] value = new byte[random.nextInt(TINY_VALUE)];
          Arrays.fill(value, (byte) ('0' + random.nextInt(10)));
          Put put = new Put(key);
          put.addColumn(family, qualifier(column), 1 + random.nextInt(TIMESTAMPS), value);
          writtenBytes += put.get(family, qualifier(column)).get(0).heapSize();
          puts.add(put);
        }
      }
    }
    return puts;
  }

  /** Rows of a quarter of the largest size and up, in cells of equal size. */
  private Put largeRow(byte[] key) {
    int bytes = largestRow / 4 + random.nextInt(largestRow / 4 * 3 + 1);
    byte[] value = new byte[bytes / LARGE_ROW_CELLS];
    random.nextBytes(value);
    Put put = new Put(key);
    for (int i = 0; i < LARGE_ROW_CELLS; i++) {
      byte[] family = FAMILIES.get(i * FAMILIES.size() / LARGE_ROW_CELLS);
      put.addColumn(family, b("large" + i), 1 + random.nextInt(TIMESTAMPS), value);
    }
    return put;
  }

  private void delete(Table table) throws IOException {
    for (int i = 0; i < KEYS / 8; i++) {
      Delete delete = new Delete(key(random.nextInt(KEYS)));
      byte[] family = FAMILIES.get(random.nextInt(FAMILIES.size()));
      long timestamp = 1L + random.nextInt(TIMESTAMPS);
      switch (random.nextInt(3)) {
        case 0 -> delete.addFamily(family, timestamp);
        case 1 -> delete.addColumns(family, qualifier(random.nextInt(COLUMNS)), timestamp);
        default -> delete.addColumn(family, qualifier(random.nextInt(COLUMNS)), timestamp);
      }
      table.delete(delete);
    }
  }
}
