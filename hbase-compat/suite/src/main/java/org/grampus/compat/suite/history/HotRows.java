package org.grampus.compat.suite.history;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * The table and its few rows in use. A row that has had its share of operations gives its place to
 * a fresh one, so that no row's history is too long to be judged. Any thread.
 */
final class HotRows {
  static final TableName TABLE = TableName.valueOf("history");
  static final byte[] F = Bytes.toBytes("f");
  static final byte[] G = Bytes.toBytes("g");

  private static final int OPERATIONS_MAX = 1500;
  private static final int UNKNOWN_MAX = 4;

  private final AtomicReferenceArray<Row> rows;
  private final AtomicInteger generation = new AtomicInteger();

  /** A row in use. */
  static final class Row {
    private final String name;
    private final AtomicInteger operations = new AtomicInteger();
    private final AtomicInteger unknown = new AtomicInteger();

    private Row(String name) {
      this.name = name;
    }

    String name() {
      return name;
    }

    byte[] key() {
      return Bytes.toBytes(name);
    }

    /**
     * An operation with an unknown outcome may be done at any later time: few of them cost much.
     */
    void countUnknown() {
      unknown.incrementAndGet();
    }
  }

  HotRows(int count) {
    rows = new AtomicReferenceArray<>(count);
    for (int place = 0; place < count; place++) {
      rows.set(place, fresh(place));
    }
  }

  static TableDescriptor descriptor() {
    return TableDescriptorBuilder.newBuilder(TABLE)
        .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
        .setColumnFamily(ColumnFamilyDescriptorBuilder.of(G))
        .build();
  }

  private Row fresh(int place) {
    return new Row(prefix(place) + generation.incrementAndGet());
  }

  private static String prefix(int place) {
    return (char) ('a' + place) + "-";
  }

  /** What all rows of a place, and of those behind it, begin at. */
  static byte[] start(int place) {
    return Bytes.toBytes(prefix(place));
  }

  int count() {
    return rows.length();
  }

  /** The row in a place, for one operation more. */
  Row use(int place) {
    Row row = rows.get(place);
    if (row.operations.incrementAndGet() < OPERATIONS_MAX && row.unknown.get() < UNKNOWN_MAX) {
      return row;
    }
    Row next = fresh(place);
    return rows.compareAndSet(place, row, next) ? next : rows.get(place);
  }
}
