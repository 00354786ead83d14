package org.grampus.perf.migration;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;

/**
 * Cells of a raw scan, with markers and with what those and the limits of versions hide. A server
 * may drop such cells at a flush or a compaction, each at times of its own: what is left to compare
 * are the cells that no flush drops. For one thread.
 */
final class RawCells {
  private final List<Cell> kept = new ArrayList<>();
  private Markers ofFamily = new Markers();
  private Markers ofColumn = new Markers();
  private Cell last;
  private int puts;
  private boolean columnEnds;

  private RawCells() {}

  /**
   * What one flush of all these cells leaves, in their order. It ends a column at the first put
   * that a marker of the column or the family hides, and at the last version that is kept, with
   * markers that come later. A marker that a newer one covers hides nothing.
   *
   * @param cells in the order of a scan
   */
  static List<Cell> kept(List<Cell> cells) {
    RawCells raw = new RawCells();
    cells.forEach(raw::add);
    return raw.kept;
  }

  private void add(Cell cell) {
    begin(cell);
    if (!columnEnds && (isDelete(cell) ? keepsMarker(cell) : keepsPut(cell))) {
      kept.add(cell);
    }
  }

  private void begin(Cell cell) {
    boolean sameFamily =
        last != null && CellUtil.matchingRows(last, cell) && CellUtil.matchingFamily(last, cell);
    if (!sameFamily) {
      ofFamily = new Markers();
    }
    if (!sameFamily || !CellUtil.matchingQualifier(last, cell)) {
      ofColumn = new Markers();
      puts = 0;
      columnEnds = false;
    }
    last = cell;
  }

  private static boolean isDelete(Cell cell) {
    return cell.getType() != Cell.Type.Put;
  }

  private boolean keepsMarker(Cell marker) {
    boolean covered = hasHidden(marker) && !keepsDeleted(marker);
    switch (marker.getType()) {
      case DeleteFamily -> ofFamily.all(marker);
      case DeleteFamilyVersion -> ofFamily.version(marker);
      case DeleteColumn -> ofColumn.all(marker);
      default -> ofColumn.version(marker);
    }
    return !covered;
  }

  private boolean hasHidden(Cell cell) {
    return ofFamily.hideAll(cell) || ofColumn.hideAll(cell);
  }

  private boolean keepsPut(Cell put) {
    if (!keepsDeleted(put)) {
      if (hasHidden(put)) {
        columnEnds = true;
        return false;
      }
      if (ofFamily.hideVersion(put) || ofColumn.hideVersion(put)) {
        return false;
      }
    }
    puts++;
    columnEnds = puts == TableShape.versions(put);
    return true;
  }

  /** Whether the family has KEEP_DELETED_CELLS. */
  private static boolean keepsDeleted(Cell cell) {
    return CellUtil.matchingFamily(cell, TableShape.G);
  }

  /** Markers so far, of a family or a column. */
  private static final class Markers {
    private long newest = -1;
    private final Set<Long> versions = new HashSet<>();

    void all(Cell marker) {
      newest = Math.max(newest, marker.getTimestamp());
    }

    void version(Cell marker) {
      versions.add(marker.getTimestamp());
    }

    boolean hideAll(Cell cell) {
      return cell.getTimestamp() <= newest;
    }

    boolean hideVersion(Cell cell) {
      return versions.contains(cell.getTimestamp());
    }
  }
}
