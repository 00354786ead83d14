package org.grampus.perf.migration;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.grampus.perf.process.TableDump;

/** Cells of a raw scan, with markers and with what those and the limits of versions hide. */
final class RawCells {
  private RawCells() {}

  /**
   * Those that stay until a major compaction: all markers, and the puts that KEEP_DELETED_CELLS
   * keeps. A flush may drop other puts that nobody sees, and each server flushes when it wants to.
   *
   * @param cells in the order of a scan
   */
  static List<Cell> kept(List<Cell> cells) {
    List<Cell> kept = new ArrayList<>();
    Map<String, Integer> puts = new HashMap<>();
    for (Cell cell : cells) {
      if (CellUtil.isDelete(cell)
          || (CellUtil.matchingFamily(cell, TableShape.G)
              && puts.merge(TableDump.column(cell), 1, Integer::sum) <= TableShape.G_VERSIONS)) {
        kept.add(cell);
      }
    }
    return kept;
  }
}
