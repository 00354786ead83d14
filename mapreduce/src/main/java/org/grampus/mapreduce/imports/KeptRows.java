package org.grampus.mapreduce.imports;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.client.Put;

/**
 * The rows of one flush, each of them once, with the cells of all its records and of equal ones the
 * last. The client sends again only those puts of a request that a server has not taken, so that of
 * two puts of a row the earlier one could come last. One thread.
 */
final class KeptRows {
  private final Map<ByteBuffer, Put> rows = new LinkedHashMap<>();

  /** The cells of rows that have several records. */
  private final Map<ByteBuffer, NavigableMap<Cell, Cell>> repeated = new HashMap<>();

  /** Adds the cells of a record. */
  void add(Put row) {
    ByteBuffer key = ByteBuffer.wrap(row.getRow());
    Put first = rows.putIfAbsent(key, row);
    if (first != null) {
      addAll(repeated.computeIfAbsent(key, of -> addAll(sorted(), first)), row);
    }
  }

  private static NavigableMap<Cell, Cell> sorted() {
    return new TreeMap<>(CellComparator.getInstance());
  }

  private static NavigableMap<Cell, Cell> addAll(NavigableMap<Cell, Cell> cells, Put row) {
    for (List<Cell> family : row.getFamilyCellMap().values()) {
      for (Cell cell : family) {
        cells.remove(cell); // else the map keeps the older cell in memory, as its key
        cells.put(cell, cell);
      }
    }
    return cells;
  }

  /** How many rows there are. */
  int size() {
    return rows.size();
  }

  /** The rows in the order of their first records; none is kept after. */
  List<Put> take() throws IOException {
    List<Put> taken = new ArrayList<>(rows.size());
    for (Map.Entry<ByteBuffer, Put> row : rows.entrySet()) {
      NavigableMap<Cell, Cell> cells = repeated.get(row.getKey());
      taken.add(cells == null ? row.getValue() : put(row.getValue(), cells));
    }
    rows.clear();
    repeated.clear();
    return taken;
  }

  private static Put put(Put first, NavigableMap<Cell, Cell> cells) throws IOException {
    Put all = new Put(first.getRow(), first.getTimestamp());
    for (Cell cell : cells.values()) {
      all.add(cell);
    }
    return all;
  }
}
