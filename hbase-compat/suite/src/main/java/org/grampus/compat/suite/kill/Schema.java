package org.grampus.compat.suite.kill;

import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * The table that the writers use: two families, so that half a mutation would show, split into four
 * regions.
 */
final class Schema {
  static final TableName TABLE = TableName.valueOf("kill");
  static final byte[] F = Bytes.toBytes("f");
  static final byte[] G = Bytes.toBytes("g");
  static final byte[] A = Bytes.toBytes("a");
  static final byte[] B = Bytes.toBytes("b");
  static final byte[] PADDING = Bytes.toBytes("padding");
  static final byte[] COUNT = Bytes.toBytes("count");
  static final byte[] STEP = Bytes.toBytes("step");

  private Schema() {}

  static TableDescriptor descriptor() {
    return TableDescriptorBuilder.newBuilder(TABLE)
        .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
        .setColumnFamily(ColumnFamilyDescriptorBuilder.of(G))
        .build();
  }

  static byte[][] splits() {
    return new byte[][] {Bytes.toBytes("row1"), Bytes.toBytes("row2"), Bytes.toBytes("row3")};
  }

  static byte[] row(int writer, int key) {
    return Bytes.toBytes("row" + writer % 4 + "-" + writer + "-" + key);
  }

  static byte[] counter(int writer) {
    return Bytes.toBytes("count" + writer);
  }

  static byte[] ladder(int writer) {
    return Bytes.toBytes("step" + writer);
  }
}
