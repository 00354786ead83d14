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
    bytes += row.heapSize();
    if (bytes > bytesMax) {
      throw new IOException(
          "row "
              + Bytes.toStringBinary(row.getRow())
              + " has more than "
              + (bytesMax >> 20)
              + " MiB of cells, which a task cannot sort; import it without --bulk");
    }
    RowOrder order = RowOrder.of(row);
    for (List<Cell> family : row.getFamilyCellMap().values()) {
      for (Cell cell : family) {
        cells.merge(cell, new Ordered(cell, order), SortedCells::later);
      }
    }
  }

  private static Ordered later(Ordered known, Ordered added) {
    return added.order().compareTo(known.order()) >= 0 ? added : known;
  }

  /** The cells. */
  Collection<Cell> inOrder() {
    return cells.values().stream().map(Ordered::cell).toList();
  }
}
