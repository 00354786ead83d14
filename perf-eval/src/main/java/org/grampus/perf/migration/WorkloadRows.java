package org.grampus.perf.migration;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
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
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.grampus.perf.ToolException;
import org.grampus.perf.process.Expect;
import org.grampus.perf.process.TableDump;

/**
 * What an application does with its rows of a table, one after the other, and knows must be in
 * them. The server gives the timestamps, but for one column of the past. A row must not be written
 * twice in a millisecond ({@link Workload}).
 */
final class WorkloadRows {
  private static final int ROWS = 256;
  private static final byte[] APP = Bytes.toBytes("app");
  private static final byte[] A = Bytes.toBytes("a");
  private static final byte[] COUNT = Bytes.toBytes("count");
  private static final byte[] PAST = Bytes.toBytes("past");

  private final MigratedTable migrated;
  private final Random random;

  /** By row, family and qualifier: the value that a read returns. */
  private final Map<String, Long> known = new TreeMap<>();

  /** By row, family and qualifier: timestamps that were not deleted, the newest first. */
  private final Map<String, Deque<Long>> past = new HashMap<>();

  private long turn;

  WorkloadRows(MigratedTable migrated, Random random) {
    this.migrated = migrated;
    this.random = random;
  }

  MigratedTable migrated() {
    return migrated;
  }

  /** Whether a cell is in no row of this application. */
  static boolean isOfOthers(Cell cell) {
    return !isOf(cell, APP) && !isPast(cell);
  }

  /** Whether a cell is in a row of the past. */
  static boolean isPast(Cell cell) {
    return isOf(cell, PAST);
  }

  private static boolean isOf(Cell cell, byte[] rows) {
    byte[] row = CellUtil.cloneRow(cell);
    return Bytes.equals(rows, Arrays.copyOfRange(row, Math.min(1, row.length), row.length));
  }

  /** Writes the next row. */
  void writeNext(Table table) throws IOException, ToolException {
    turn++;
    byte[] first = {(byte) (turn % ROWS)};
    byte[] row = Bytes.add(first, APP);
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
    if (migrated.writesIntoThePast()) {
      writePast(table, Bytes.add(first, PAST));
    }
  }

  private void put(Table table, byte[] row, byte[] family) throws IOException {
    table.put(new Put(row).addColumn(family, A, Bytes.toBytes(turn)));
    known.put(TableDump.column(row, family, A), turn);
  }

  private void increment(Table table, byte[] row) throws IOException, ToolException {
    String column = TableDump.column(row, TableShape.F, COUNT);
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

  /**
   * Puts with timestamps of its own until there is a version more than the family keeps, then
   * deletes the newest in turns: the marker gets the timestamp of that version. A flush may have
   * dropped the oldest, but never one that this shows as the newest.
   */
  private void writePast(Table table, byte[] row) throws IOException {
    String column = TableDump.column(row, TableShape.F, PAST);
    Deque<Long> versions = past.computeIfAbsent(column, none -> new ArrayDeque<>());
    if (versions.size() > TableShape.F_VERSIONS) {
      table.delete(new Delete(row).addColumn(TableShape.F, PAST));
      versions.pop();
    } else {
      table.put(new Put(row).addColumn(TableShape.F, PAST, turn, Bytes.toBytes(turn)));
      versions.push(turn);
    }
    known.put(column, versions.element());
  }

  /**
   * Compares a table with what is known; returns the number of values.
   *
   * @throws ToolException when one differs
   */
  int verify(Side side) throws IOException, ToolException {
    Map<String, Long> found = new TreeMap<>();
    for (Cell cell : TableDump.cells(side.connection(), migrated.table(), new Scan())) {
      if (!isOfOthers(cell)) {
        found.put(TableDump.column(cell), Bytes.toLong(CellUtil.cloneValue(cell)));
      }
    }
    requireKnown(side.toString(), found);
    return found.size();
  }

  /** Fails at the first value that differs. */
  void requireKnown(String where, Map<String, Long> found) throws ToolException {
    new Lines("the application", lines(known))
        .requireSame("values of " + migrated.table(), new Lines(where, lines(found)));
  }

  private static List<String> lines(Map<String, Long> values) {
    return values.entrySet().stream()
        .map(value -> value.getKey() + "=" + value.getValue())
        .toList();
  }
}
