package org.grampus.perf.migration;

import java.io.IOException;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.grampus.perf.ToolException;

/**
 * Compactions of a table, from off to on.
 *
 * @param table that nobody writes to but this
 */
record Compaction(Side side, TableName table) {
  private static final byte[] ROW = Bytes.toBytes("compaction");

  /**
   * Writes and deletes a row, switches them on and runs a major one. Without that row there may be
   * nothing to drop: a repair may have compacted the table just before.
   *
   * @throws ToolException when it drops nothing of the family that keeps nothing deleted
   */
  void run() throws ToolException, IOException, InterruptedException {
    writeAndDelete();
    long before = rawCells();
    side.setCompactions(table, true);
    side.compact(table);
    requireFewer(before, rawCells());
  }

  private void writeAndDelete() throws IOException {
    try (Table rows = side.table(table)) {
      rows.put(new Put(ROW).addColumn(TableShape.F, new byte[0], new byte[0]));
      rows.delete(new Delete(ROW));
    }
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
