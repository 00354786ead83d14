package org.grampus.compat.suite.kill;

import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/** What tables hold, in the form of {@link TableModel}. */
final class TableReader {
  /** The qualifier whose values are compared. */
  static final byte[] QUALIFIER = Bytes.toBytes("q");

  private final Connection connection;
  private final RepeatedCalls calls;

  TableReader(Connection connection, RepeatedCalls calls) {
    this.connection = connection;
    this.calls = calls;
  }

  Map<String, Long> row(TableName name, String row) throws IOException, InterruptedException {
    Map<String, Long> cells = new TreeMap<>();
    calls.until(
        "read of a row",
        admin -> {
          try (Table table = connection.getTable(name)) {
            cells.clear();
            collect(table.get(new Get(Bytes.toBytes(row))), cells);
          }
        });
    return cells;
  }

  private static void collect(Result result, Map<String, Long> cells) {
    for (Cell cell : result.isEmpty() ? new Cell[0] : result.rawCells()) {
      if (CellUtil.matchingQualifier(cell, QUALIFIER)) {
        String row = Bytes.toString(CellUtil.cloneRow(cell));
        String family = Bytes.toString(CellUtil.cloneFamily(cell));
        cells.put(TableModel.cell(row, family), Bytes.toLong(CellUtil.cloneValue(cell)));
      }
    }
  }

  Map<String, Long> cells(TableName name) throws IOException, InterruptedException {
    Map<String, Long> cells = new TreeMap<>();
    calls.until(
        "scan",
        admin -> {
          cells.clear();
          try (Table table = connection.getTable(name);
              ResultScanner scanner = table.getScanner(new Scan())) {
            scanner.forEach(result -> collect(result, cells));
          }
        });
    return cells;
  }
}
