package org.grampus.perf.pe.work;

import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Result;

/**
 * Bytes of a row as HBase's class reckons them: its key once, and of each cell the value and the
 * names of family and column.
 */
final class RowBytes {
  private RowBytes() {}

  /** Of a row that came back; 0 when nothing did. */
  static long of(Result result) {
    if (result.isEmpty()) {
      return 0;
    }
    long bytes = result.rawCells()[0].getRowLength();
    for (Cell cell : result.rawCells()) {
      bytes += bytes(cell);
    }
    return bytes;
  }

  /** Of a row that is written. */
  static long of(Mutation mutation) {
    long bytes = mutation.getRow().length;
    for (List<Cell> family : mutation.getFamilyCellMap().values()) {
      for (Cell cell : family) {
        bytes += bytes(cell);
      }
    }
    return bytes;
  }

  private static long bytes(Cell cell) {
    return (long) cell.getFamilyLength() + cell.getQualifierLength() + cell.getValueLength();
  }
}
