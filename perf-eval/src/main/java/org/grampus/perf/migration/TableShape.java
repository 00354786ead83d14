package org.grampus.perf.migration;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.KeepDeletedCells;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.regionserver.BloomType;
import org.apache.hadoop.hbase.util.Bytes;
import org.grampus.perf.ToolException;
import org.grampus.perf.process.Expect;

/** Attributes and split points of the tables that migrate. */
final class TableShape {
  /** Keeps three versions. */
  static final byte[] F = Bytes.toBytes("f");

  /** Keeps five, and what was deleted. */
  static final byte[] G = Bytes.toBytes("g");

  /** Has a time to live. */
  static final byte[] H = Bytes.toBytes("h");

  static final int F_VERSIONS = 3;
  static final int G_VERSIONS = 5;

  private static final byte[][] SPLITS = {{0x40}, {(byte) 0x80, 0}, {(byte) 0xFF, (byte) 0xFE}};

  private TableShape() {}

  /** How many versions the family of a cell keeps. */
  static int versions(Cell cell) {
    if (CellUtil.matchingFamily(cell, F)) {
      return F_VERSIONS;
    }
    return CellUtil.matchingFamily(cell, G)
        ? G_VERSIONS
        : ColumnFamilyDescriptorBuilder.DEFAULT_MAX_VERSIONS;
  }

  /** Creates a table. */
  static void create(Side side, TableName name) throws IOException {
    try (Admin admin = side.connection().getAdmin()) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(name)
              .setColumnFamilies(families())
              .setValue("OWNED_BY", "operations")
              .build(),
          SPLITS);
    }
  }

  private static List<ColumnFamilyDescriptor> families() {
    return List.of(
        ColumnFamilyDescriptorBuilder.newBuilder(F)
            .setMaxVersions(F_VERSIONS)
            .setBloomFilterType(BloomType.ROWCOL)
            .build(),
        ColumnFamilyDescriptorBuilder.newBuilder(G)
            .setMaxVersions(G_VERSIONS)
            .setKeepDeletedCells(KeepDeletedCells.TRUE)
            .setDataBlockEncoding(DataBlockEncoding.FAST_DIFF)
            .build(),
        ColumnFamilyDescriptorBuilder.newBuilder(H)
            .setTimeToLive((int) TimeUnit.DAYS.toSeconds(1))
            .build());
  }

  /**
   * Creates a table with the attributes and split points that it has on the source.
   *
   * @throws ToolException when it does not have them then
   */
  static void createLike(Side source, Side target, TableName name)
      throws ToolException, IOException {
    try (Admin ofSource = source.connection().getAdmin();
        Admin ofTarget = target.connection().getAdmin()) {
      ofTarget.createTable(ofSource.getDescriptor(name), splits(source, name));
      Expect.equal(
          "attributes of " + name + " on " + target,
          ofSource.getDescriptor(name),
          ofTarget.getDescriptor(name));
    }
    Expect.equal(
        "split points of " + name + " on " + target,
        shown(splits(source, name)),
        shown(splits(target, name)));
  }

  private static byte[][] splits(Side side, TableName name) throws IOException {
    try (RegionLocator locator = side.connection().getRegionLocator(name)) {
      byte[][] starts = locator.getStartKeys();
      return Arrays.copyOfRange(starts, 1, starts.length);
    }
  }

  private static List<String> shown(byte[][] keys) {
    return Arrays.stream(keys).map(Bytes::toStringBinary).toList();
  }
}
