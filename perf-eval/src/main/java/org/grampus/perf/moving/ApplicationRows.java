package org.grampus.perf.moving;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.grampus.perf.ToolException;
import org.grampus.perf.process.Expect;

/**
 * What an application does with its rows of a table, one after the other, and knows must be in
 * them. The server gives the timestamps, so a row is written at most once a millisecond: HBase
 * hides a put that is written in the same one as an earlier marker.
 */
final class ApplicationRows {
  private static final int ROWS = 256;
  private static final byte[] A = Bytes.toBytes("a");
  private static final byte[] COUNT = Bytes.toBytes("count");
  private static final byte[] PAST = Bytes.toBytes("past");

  private final MovingTable moving;
  private final Random random;

  /** By row, family and qualifier: the value that a read returns. */
  private final Map<String, Long> known = new TreeMap<>();

  private long turn;

  ApplicationRows(MovingTable moving, Random random) {
    this.moving = moving;
    this.random = random;
  }

  MovingTable moving() {
    return moving;
  }

  /** Writes the next row. */
  void writeNext(Table table) throws IOException, ToolException {
    turn++;
    byte[] first = {(byte) (turn % ROWS)};
    byte[] row = Bytes.add(first, Bytes.toBytes("app"));
    switch (random.nextInt(8)) {
      case 0 -> put(table, row, TableShape.H);
      case 1 -> increment(table, row);
      case 2 -> delete(table, new Delete(row), "/");
      case 3 -> delete(table, new Delete(row).addFamily(TableShape.G), "/g:");
      case 4 -> delete(table, new Delete(row).addColumns(TableShape.F, A), "/f:a");
      default -> {
        put(table, row, TableShape.F);
        put(table, row, TableShape.G);
      }
    }
    if (moving.hasPastWrites()) {
      writePast(table, Bytes.add(first, PAST));
    }
  }

  private void put(Table table, byte[] row, byte[] family) throws IOException {
    table.put(new Put(row).addColumn(family, A, Bytes.toBytes(turn)));
    known.put(column(row, family, A), turn);
  }

  private void increment(Table table, byte[] row) throws IOException, ToolException {
    String column = column(row, TableShape.F, COUNT);
    Result result = table.increment(new Increment(row).addColumn(TableShape.F, COUNT, 1));
    long count = Bytes.toLong(result.getValue(TableShape.F, COUNT));
    Expect.equal("counter " + column, known.getOrDefault(column, 0L) + 1, count);
    known.put(column, count);
  }

  private void delete(Table table, Delete delete, String columns) throws IOException {
    table.delete(delete);
    String deleted = Bytes.toStringBinary(delete.getRow()) + columns;
    known.keySet().removeIf(column -> column.startsWith(deleted));
  }

  /** A put with a timestamp of its own; then a delete of the newest version, which has that one. */
  private void writePast(Table table, byte[] row) throws IOException {
    String column = column(row, TableShape.F, PAST);
    if (known.containsKey(column)) {
      delete(table, new Delete(row).addColumn(TableShape.F, PAST), "/f:past");
    } else {
      table.put(new Put(row).addColumn(TableShape.F, PAST, turn, Bytes.toBytes(turn)));
      known.put(column, turn);
    }
  }

  private static String column(byte[] row, byte[] family, byte[] qualifier) {
    return Bytes.toStringBinary(row)
        + "/"
        + Bytes.toString(family)
        + ":"
        + Bytes.toString(qualifier);
  }

  /**
   * Compares a table with what is known; returns the number of values.
   *
   * @throws ToolException when one differs
   */
  int verify(Side side) throws IOException, ToolException {
    Map<String, Long> found = new TreeMap<>();
    try (Table table = side.table(moving.table());
        ResultScanner scanner = table.getScanner(ownColumns())) {
      for (Result result : scanner) {
        for (Cell cell : result.rawCells()) {
          found.put(column(cell), Bytes.toLong(CellUtil.cloneValue(cell)));
        }
      }
    }
    requireKnown(side.toString(), found);
    return found.size();
  }

  private static Scan ownColumns() {
    return new Scan()
        .addColumn(TableShape.F, A)
        .addColumn(TableShape.G, A)
        .addColumn(TableShape.H, A)
        .addColumn(TableShape.F, COUNT)
        .addColumn(TableShape.F, PAST);
  }

  private static String column(Cell cell) {
    return column(
        CellUtil.cloneRow(cell), CellUtil.cloneFamily(cell), CellUtil.cloneQualifier(cell));
  }

  /** Fails at the first value that differs. */
  void requireKnown(String where, Map<String, Long> found) throws ToolException {
    Cells.requireSame(
        "values of " + moving.table(), "the application", lines(known), where, lines(found));
  }

  private static List<String> lines(Map<String, Long> values) {
    return values.entrySet().stream()
        .map(value -> value.getKey() + "=" + value.getValue())
        .toList();
  }
}
