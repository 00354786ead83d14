package org.grampus.compat.suite.snapshot;

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * The loop's table: rows {@code region-writer-row}, each with the same number in all families,
 * written as one edit.
 *
 * @param regions number of regions at first, each with every writer's rows in turn
 * @param families number of families
 */
record LoopTable(TableName name, int regions, int families) {
  /** Rows of each writer. */
  static final int ROWS = 60;

  private static final byte[] QUALIFIER = Bytes.toBytes("n");
  private static final byte[] FILLER_QUALIFIER = Bytes.toBytes("x");
  private static final byte[] FILLER = new byte[512];

  TableDescriptor descriptor() {
    List<ColumnFamilyDescriptor> descriptors = new ArrayList<>();
    for (int i = 0; i < families; i++) {
      descriptors.add(ColumnFamilyDescriptorBuilder.of(family(i)));
    }
    return TableDescriptorBuilder.newBuilder(name).setColumnFamilies(descriptors).build();
  }

  byte[][] splits() {
    byte[][] splits = new byte[regions - 1][];
    for (int i = 1; i < regions; i++) {
      splits[i - 1] = Bytes.toBytes(String.format("%02d", i));
    }
    return splits;
  }

  private static byte[] family(int index) {
    return Bytes.toBytes("f" + index);
  }

  byte[] key(int writer, int row) {
    return Bytes.toBytes(String.format("%02d-%03d-%04d", row % regions, writer, row));
  }

  Put put(int writer, int row, long number) {
    Put put = new Put(key(writer, row));
    for (int i = 0; i < families; i++) {
      put.addColumn(family(i), QUALIFIER, Bytes.toBytes(number));
      put.addColumn(family(i), FILLER_QUALIFIER, FILLER);
    }
    return put;
  }

  /** The number in a family of a row, 0 without one. */
  long number(Result result, int family) {
    byte[] value = result.getValue(family(family), QUALIFIER);
    return value == null ? 0 : Bytes.toLong(value);
  }
}
