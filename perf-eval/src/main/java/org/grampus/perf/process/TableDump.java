package org.grampus.perf.process;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/** The cells of a table as a client sees them, and as lines of text. */
public final class TableDump {
  private TableDump() {}

  /** All cells that a scan returns, in its order. */
  public static List<Cell> cells(Connection connection, TableName name, Scan scan)
      throws IOException {
    List<Cell> cells = new ArrayList<>();
    try (Table table = connection.getTable(name);
        ResultScanner scanner = table.getScanner(scan)) {
      for (Result row : scanner) {
        Collections.addAll(cells, row.rawCells());
      }
    }
    return cells;
  }

  /** All of a cell that a client can see. */
  public static String line(Cell cell) {
    return column(cell)
        + "/"
        + cell.getTimestamp()
        + "/"
        + cell.getType()
        + "="
        + Bytes.toStringBinary(CellUtil.cloneValue(cell));
  }

  /** Row, family and qualifier of a cell. */
  public static String column(Cell cell) {
    return column(
        CellUtil.cloneRow(cell), CellUtil.cloneFamily(cell), CellUtil.cloneQualifier(cell));
  }

  /** A column of a row. */
  public static String column(byte[] row, byte[] family, byte[] qualifier) {
    return Bytes.toStringBinary(row)
        + "/"
        + Bytes.toStringBinary(family)
        + ":"
        + Bytes.toStringBinary(qualifier);
  }
}
