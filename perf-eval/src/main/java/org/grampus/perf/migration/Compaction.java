package org.grampus.perf.migration;

import java.io.IOException;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableName;
import org.grampus.perf.ToolException;

/**
 * Compactions of a table, from off to on.
 *
 * @param table that nobody writes to
 */
record Compaction(Side side, TableName table) {
  /**
   * Switches them on and runs a major one.
   *
   * @throws ToolException when it drops nothing of the family that keeps nothing deleted
   */
  void run() throws ToolException, IOException, InterruptedException {
    long before = rawCells();
    side.setCompactions(table, true);
    side.compact(table);
    requireFewer(before, rawCells());
  }

  private long rawCells() throws IOException {
    return Comparison.all(side, table, true).stream()
        .filter(cell -> CellUtil.matchingFamily(cell, TableShape.F))
        .count();
  }

  /** Fails when there are as many cells as before. */
  void requireFewer(long before, long after) throws ToolException {
    if (after >= before) {
      throw new ToolException(
          "a major compaction of " + table + " leaves " + after + " of " + before + " raw cells");
    }
  }
}
