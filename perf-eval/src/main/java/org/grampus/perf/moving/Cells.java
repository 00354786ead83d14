package org.grampus.perf.moving;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.grampus.perf.ToolException;

/** The cells of a table as a client sees them, one a line. */
final class Cells {
  private Cells() {}

  /**
   * All versions of all cells, in the order of a scan.
   *
   * @param raw with markers, and with what they and the limits of versions hide
   */
  static List<String> of(Side side, TableName name, boolean raw) throws IOException {
    List<String> cells = new ArrayList<>();
    Scan scan = new Scan().readAllVersions().setRaw(raw).setCacheBlocks(false);
    try (Table table = side.table(name);
        ResultScanner scanner = table.getScanner(scan)) {
      for (Result result : scanner) {
        for (Cell cell : result.rawCells()) {
          cells.add(line(cell));
        }
      }
    }
    return cells;
  }

  /** All of a cell that two servers must agree on. */
  static String line(Cell cell) {
    return Bytes.toStringBinary(CellUtil.cloneRow(cell))
        + "/"
        + Bytes.toStringBinary(CellUtil.cloneFamily(cell))
        + ":"
        + Bytes.toStringBinary(CellUtil.cloneQualifier(cell))
        + "/"
        + cell.getTimestamp()
        + "/"
        + cell.getType()
        + "="
        + Bytes.toStringBinary(CellUtil.cloneValue(cell));
  }

  /**
   * Fails at the first line that differs.
   *
   * @param what the lines are, in a sentence
   * @throws ToolException with that line of both
   */
  static void requireSame(
      String what, String first, List<String> ofFirst, String second, List<String> ofSecond)
      throws ToolException {
    int same = 0;
    while (same < Math.min(ofFirst.size(), ofSecond.size())
        && ofFirst.get(same).equals(ofSecond.get(same))) {
      same++;
    }
    if (same < Math.max(ofFirst.size(), ofSecond.size())) {
      throw new ToolException(
          what
              + " differ behind the first "
              + same
              + ": "
              + lineOf(first, ofFirst, same)
              + ", "
              + lineOf(second, ofSecond, same));
    }
  }

  private static String lineOf(String name, List<String> lines, int number) {
    String line = number < lines.size() ? lines.get(number) : "nothing";
    return name + ", of " + lines.size() + " in all, has " + line;
  }
}
