package org.grampus.perf.pe.table;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.grampus.perf.pe.key.RowKey;
import org.grampus.perf.pe.option.PeOptions;
import org.grampus.perf.pe.option.TableOptions;

/** What the table of a test looks like. */
public final class TableShape {
  /** Families are called so, with their number behind it. */
  public static final String FAMILY_BASE = "info";

  private TableShape() {}

  /**
   * What a table has in the place of an option of its creation.
   *
   * @param option as it was given
   * @param found what the table has, in words
   */
  record Difference(String option, String found) {}

  /** The name of a family. */
  public static byte[] family(int number) {
    return Bytes.toBytes(FAMILY_BASE + number);
  }

  /** The name of a column. */
  public static byte[] qualifier(int number) {
    return Bytes.toBytes(String.valueOf(number));
  }

  /** The table that the options describe. */
  static TableDescriptor of(PeOptions options) {
    TableOptions table = options.table();
    TableDescriptorBuilder builder =
        TableDescriptorBuilder.newBuilder(TableName.valueOf(table.name()));
    for (int number = 0; number < options.values().families(); number++) {
      builder.setColumnFamily(family(table, number));
    }
    if (table.replicas() != 1) {
      builder.setRegionReplication(table.replicas());
    }
    if (table.splitPolicy() != null) {
      builder.setRegionSplitPolicyClassName(table.splitPolicy());
    }
    return builder.build();
  }

  private static ColumnFamilyDescriptor family(TableOptions table, int number) {
    ColumnFamilyDescriptorBuilder family =
        ColumnFamilyDescriptorBuilder.newBuilder(family(number))
            .setDataBlockEncoding(table.blockEncoding())
            .setCompressionType(table.compression())
            .setBloomFilterType(table.bloomType())
            .setBlocksize(table.blockSize())
            .setInMemory(table.inMemory())
            .setInMemoryCompaction(table.inMemoryCompaction());
    if (table.encryption() != null) {
      family.setEncryptionType(table.encryption());
    }
    return family.build();
  }

  /**
   * Where a table is cut into regions with as many rows each; empty for no more than one region.
   *
   * @throws IllegalArgumentException when there are fewer rows than regions
   */
  static byte[][] splits(int regions, long rows) {
    if (regions > rows) {
      throw new IllegalArgumentException(
          "--presplit=" + regions + " needs as many rows; there are " + rows);
    }
    byte[][] splits = new byte[Math.max(0, regions - 1)][];
    for (int i = 0; i < splits.length; i++) {
      // as HBase's class: the last region takes what does not come out
      splits[i] = RowKey.of(rows / regions * (i + 1));
    }
    return splits;
  }

  /** Options that were given for the creation of a table, and what it has instead. */
  static List<Difference> differences(PeOptions options, TableDescriptor table) {
    TableOptions wanted = options.table();
    List<Difference> differences = new ArrayList<>();
    compare(options, differences, "--replicas", wanted.replicas(), table.getRegionReplication());
    compare(
        options,
        differences,
        "--splitPolicy",
        wanted.splitPolicy(),
        table.getRegionSplitPolicyClassName());
    ColumnFamilyDescriptor family = table.getColumnFamily(family(0));
    if (family != null) {
      compare(
          options, differences, "--compress", wanted.compression(), family.getCompressionType());
      compare(
          options, differences, "--encryption", wanted.encryption(), family.getEncryptionType());
      compare(options, differences, "--inmemory", wanted.inMemory(), family.isInMemory());
      compare(
          options, differences, "--bloomFilter", wanted.bloomType(), family.getBloomFilterType());
      compare(options, differences, "--blockSize", wanted.blockSize(), family.getBlocksize());
      compare(
          options,
          differences,
          "--blockEncoding",
          wanted.blockEncoding(),
          family.getDataBlockEncoding());
      compare(
          options,
          differences,
          "--inmemoryCompaction",
          wanted.inMemoryCompaction(),
          family.getInMemoryCompaction());
    }
    return differences;
  }

  private static void compare(
      PeOptions options, List<Difference> differences, String option, Object wanted, Object found) {
    if (options.isGiven(option) && !Objects.equals(wanted, found)) {
      differences.add(new Difference(option + "=" + wanted, found == null ? "none" : "" + found));
    }
  }
}
