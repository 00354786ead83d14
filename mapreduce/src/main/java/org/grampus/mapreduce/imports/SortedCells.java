package org.grampus.mapreduce.imports;

import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.TreeMap;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.util.Bytes;

/** The cells of one row in HBase's order, of equal ones that of the last record. One thread. */
final class SortedCells {
  /** A cell, and where its record stands. */
  private record Ordered(Cell cell, RowOrder order) {}

  /** What a cell takes beside its own bytes: an entry of the map, its value and its order. */
  private static final long ENTRY_BYTES = 128;

  private final TreeMap<Cell, Ordered> cells = new TreeMap<>(CellComparator.getInstance());
  private final long bytesMax;
  private long bytes;

  SortedCells(long bytesMax) {
    this.bytesMax = bytesMax;
  }

  /**
   * Adds the cells of a record; records come in any order.
   *
   * @throws IOException when the row does not fit into memory
   */
  void add(Put row) throws IOException {
    RowOrder order = RowOrder.of(row);
    for (List<Cell> family : row.getFamilyCellMap().values()) {
      for (Cell cell : family) {
        add(cell, order);
        requireRoom(row);
      }
    }
  }

  /** The map's own key would stay that of the first cell, and with it the cell. */
  private void add(Cell cell, RowOrder order) {
    Ordered known = cells.get(cell);
    if (known != null && known.order().compareTo(order) > 0) {
      return;
    }
    if (known != null) {
      cells.remove(cell);
      bytes -= known.cell().heapSize() + ENTRY_BYTES;
    }
    cells.put(cell, new Ordered(cell, order));
    bytes += cell.heapSize() + ENTRY_BYTES;
  }

  private void requireRoom(Put row) throws IOException {
    if (bytes > bytesMax) {
      throw new IOException(
          "row "
              + Bytes.toStringBinary(row.getRow())
              + " has more than "
              + (bytesMax >> 20)
              + " MiB of cells, which a task cannot sort; import it without --bulk");
    }
  }

  /** The cells. */
  Collection<Cell> inOrder() {
    return cells.values().stream().map(Ordered::cell).toList();
  }
}
