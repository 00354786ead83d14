package org.grampus.compat.suite.kill;

import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * What a table holds after a serial history of changes: its families, and the version of each row
 * in each of them. For one thread.
 */
final class TableModel {
  private final NavigableSet<String> families = new TreeSet<>();
  private final TreeMap<String, Long> cells = new TreeMap<>();

  TableModel(String... families) {
    this.families.addAll(java.util.List.of(families));
  }

  TableModel copy() {
    TableModel copy = new TableModel();
    copy.families.addAll(families);
    copy.cells.putAll(cells);
    return copy;
  }

  NavigableSet<String> families() {
    return families;
  }

  /** Versions by {@code row/family}. */
  Map<String, Long> cells() {
    return cells;
  }

  /** The part of {@link #cells} of one row. */
  Map<String, Long> row(String row) {
    return new TreeMap<>(cells.subMap(row + "/", row + "0"));
  }

  /** Replaces one row. */
  void setRow(String row, Map<String, Long> now) {
    cells.subMap(row + "/", row + "0").clear();
    cells.putAll(now);
  }

  void clear() {
    cells.clear();
  }

  /** A region of these bounds is empty; an empty end is none. */
  void clear(byte[] start, byte[] end) {
    cells
        .keySet()
        .removeIf(
            cell -> {
              byte[] row = Bytes.toBytes(cell.substring(0, cell.indexOf('/')));
              return Bytes.compareTo(row, start) >= 0
                  && (end.length == 0 || Bytes.compareTo(row, end) < 0);
            });
  }

  void drop(String family) {
    families.remove(family);
    cells.keySet().removeIf(cell -> cell.endsWith("/" + family));
  }

  static String cell(String row, String family) {
    return row + "/" + family;
  }
}
