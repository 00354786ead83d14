package org.grampus.perf.jobs;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.util.StringUtils;
import org.grampus.perf.process.TableDump;

/**
 * The table that jobs read: flights of a few carriers in two regions, whose contents follow from
 * the number of the row.
 *
 * @param rows how many
 */
record JobTable(int rows) {
  static final TableName NAME = TableName.valueOf("flights");
  static final int REGIONS = 2;

  private static final List<String> CARRIERS = List.of("AA", "B6", "DL", "UA");
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final int NOTE_BYTES = 200;

  /** Creates a table with the family of this one. */
  static void create(Connection connection, TableName name, byte[]... splits) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(name)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
              .build(),
          splits.length == 0 ? null : splits);
    }
  }

  /** Creates it and fills it. */
  void fill(Connection connection) throws IOException {
    create(connection, NAME, Bytes.toBytes(key(rows / REGIONS)));
    try (BufferedMutator mutator = connection.getBufferedMutator(NAME)) {
      for (int row = 0; row < rows; row++) {
        Put put = new Put(Bytes.toBytes(key(row)));
        put.addColumn(FAMILY, Bytes.toBytes("carrier"), Bytes.toBytes(carrier(row)));
        put.addColumn(FAMILY, Bytes.toBytes("distance"), Bytes.toBytes(distance(row)));
        put.addColumn(FAMILY, Bytes.toBytes("note"), note(row));
        mutator.mutate(put);
      }
    }
  }

  private static String key(int row) {
    return String.format(Locale.ROOT, "%08d", row);
  }

  private static String carrier(int row) {
    return CARRIERS.get(row % CARRIERS.size());
  }

  private static String distance(int row) {
    return String.valueOf(100 + row % 2000);
  }

  /** So that files have some size although they are compressed. */
  private static byte[] note(int row) {
    byte[] bytes = new byte[NOTE_BYTES / 2];
    new Random(row).nextBytes(bytes);
    return Bytes.toBytes(StringUtils.byteToHexString(bytes));
  }

  /** How many flights each carrier has, as a job prints it. */
  List<String> flightsByCarrier() {
    List<String> lines = new ArrayList<>();
    for (int carrier = 0; carrier < CARRIERS.size(); carrier++) {
      int flights = (rows - carrier + CARRIERS.size() - 1) / CARRIERS.size();
      lines.add(CARRIERS.get(carrier) + "\t" + flights);
    }
    return lines;
  }

  /** All row keys in their order. */
  List<String> keys() {
    return IntStream.range(0, rows).mapToObj(JobTable::key).toList();
  }

  /** Key, carrier and distance of all rows, as CSV without a header. */
  List<String> lines() {
    List<String> lines = new ArrayList<>();
    for (int row = 0; row < rows; row++) {
      lines.add(key(row) + "," + carrier(row) + "," + distance(row));
    }
    return lines;
  }

  /** Row, column and value of all cells of a table, in their order; an import has its own times. */
  static List<String> values(Connection connection, TableName name) throws IOException {
    return TableDump.cells(connection, name, new Scan()).stream()
        .map(
            cell ->
                Bytes.toString(CellUtil.cloneRow(cell))
                    + " "
                    + Bytes.toString(CellUtil.cloneQualifier(cell))
                    + " "
                    + Bytes.toString(CellUtil.cloneValue(cell)))
        .toList();
  }

  /** All cells of a table, in their order. */
  static List<String> cells(Connection connection, TableName name) throws IOException {
    return TableDump.cells(connection, name, new Scan()).stream().map(TableDump::line).toList();
  }
}
