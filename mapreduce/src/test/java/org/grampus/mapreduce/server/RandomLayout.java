package org.grampus.mapreduce.server;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/** A table whose keys, regions, families and files are as chance has them. */
final class RandomLayout {
  /** How the keys of a table look. */
  private enum Shape {
    /** At and above the highest byte, where a region's end is open. */
    HIGH {
      @Override
      byte[] key(Random random) {
        byte[] key = new byte[1 + random.nextInt(6)];
        for (int i = 0; i < key.length; i++) {
          key[i] = (byte) (random.nextInt(3) == 0 ? random.nextInt() : 0xFF);
        }
        return key;
      }
    },
    /** Nine digits; nine keys in ten are among a hundredth of all numbers. */
    DECIMAL {
      @Override
      byte[] key(Random random) {
        boolean dense = random.nextInt(10) > 0;
        int number =
            dense ? 400_000_000 + random.nextInt(10_000_000) : random.nextInt(1_000_000_000);
        return String.format("%09d", number).getBytes(StandardCharsets.US_ASCII);
      }
    },
    /** Any bytes. */
    BYTES {
      @Override
      byte[] key(Random random) {
        byte[] key = new byte[1 + random.nextInt(8)];
        random.nextBytes(key);
        return key;
      }
    };

    abstract byte[] key(Random random);
  }

  private static final String[] FAMILIES = {"f", "g", "h"};

  /** More than a row group of a column file has. */
  private static final int ROWS_OF_GROUPS = 24_000;

  private static final int ROWS_FEW = 2_400;

  private final Random random;
  private final Shape shape;

  /** Whether a file has several row groups, of many small rows. */
  private final boolean hasGroups;

  private final int families;

  /** What was written of each row, in bytes, in all files together. */
  private final NavigableMap<byte[], Long> written = new TreeMap<>(Bytes.BYTES_COMPARATOR);

  RandomLayout(Random random) {
    this.random = random;
    this.shape = Shape.values()[random.nextInt(Shape.values().length)];
    this.families = 1 + random.nextInt(FAMILIES.length);
    this.hasGroups = random.nextInt(3) == 0;
  }

  /** Its rows, and the bytes that were written of each. */
  NavigableMap<byte[], Long> written() {
    return written;
  }

  /** What was written, in bytes. */
  long bytes() {
    return written.values().stream().mapToLong(Long::longValue).sum();
  }

  /** What was written of the largest row. */
  long largest() {
    return written.values().stream().mapToLong(Long::longValue).max().orElse(0);
  }

  /** Creates a table without compactions, which keep what is overwritten in files of its own. */
  void create(Admin admin, TableName name) throws IOException {
    TableDescriptorBuilder table =
        TableDescriptorBuilder.newBuilder(name).setCompactionEnabled(false).setSplitEnabled(false);
    for (int i = 0; i < families; i++) {
      table.setColumnFamily(
          ColumnFamilyDescriptorBuilder.newBuilder(Bytes.toBytes(FAMILIES[i]))
              .setBlocksize(4096 << random.nextInt(5))
              .build());
    }
    TreeSet<byte[]> splits = new TreeSet<>(Bytes.BYTES_COMPARATOR);
    for (int i = random.nextInt(hasGroups ? 2 : 6); i > 0; i--) {
      splits.add(shape.key(random));
    }
    admin.createTable(table.build(), splits.isEmpty() ? null : splits.toArray(new byte[0][]));
  }

  /**
   * Writes its rows into one to four files of each region and family; what was written last may
   * stay in memory.
   */
  void write(Admin admin, Table table, boolean flushLast) throws IOException {
    int files = 1 + random.nextInt(hasGroups ? 2 : 4);
    int rowsOfFile = hasGroups ? ROWS_OF_GROUPS : (1 + random.nextInt(ROWS_FEW)) / files;
    for (int file = 0; file < files; file++) {
      List<Put> puts = new ArrayList<>();
      for (byte[] row : rows(rowsOfFile)) {
        puts.add(put(row));
      }
      table.put(puts);
      if (file < files - 1 || flushLast) {
        admin.flush(table.getName());
      }
    }
  }

  /** One row. */
  void writeOne(Table table) throws IOException {
    table.put(put(shape.key(random)));
  }

  /** Keys of one file, each once: a flush would leave the last of several puts alone. */
  private Set<byte[]> rows(int most) {
    Set<byte[]> rows = new TreeSet<>(Bytes.BYTES_COMPARATOR);
    for (int i = 0; i < most; i++) {
      rows.add(shape.key(random));
    }
    return rows;
  }

  private Put put(byte[] row) {
    Put put = new Put(row);
    long bytes = 0;
    for (int i = 0; i < families; i++) {
      if (i == 0 || random.nextInt(4) > 0) {
        byte[] value = new byte[hasGroups ? 80 + random.nextInt(160) : 200 + random.nextInt(1200)];
        random.nextBytes(value); // nothing makes it smaller
        put.addColumn(Bytes.toBytes(FAMILIES[i]), Bytes.toBytes("q"), value);
        bytes += value.length + row.length;
      }
    }
    written.merge(row, bytes, Long::sum);
    return put;
  }

  @Override
  public String toString() {
    return written.size() + " rows, keys " + shape + ", " + families + " families";
  }
}
