package org.grampus.mapreduce.row;

import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.util.Bytes;

/** Refuses cells that the client would refuse with the whole of the rows beside them. */
final class CellSizes {
  private CellSizes() {}

  /**
   * Looks at all cells of a row.
   *
   * @param max bytes of a cell as HBase counts them; 0 for any number
   */
  static void require(Put row, int max) throws BadValueException {
    if (max <= 0) {
      return;
    }
    for (List<Cell> family : row.getFamilyCellMap().values()) {
      for (Cell cell : family) {
        // HBase's client adds the length before a serialized cell
        if (cell.getSerializedSize() + Bytes.SIZEOF_INT > max) {
          throw new BadValueException(
              "column "
                  + Bytes.toStringBinary(CellUtil.cloneFamily(cell))
                  + ":"
                  + Bytes.toStringBinary(CellUtil.cloneQualifier(cell))
                  + ": the cell has "
                  + cell.getSerializedSize()
                  + " bytes; hbase.client.keyvalue.maxsize allows "
                  + max);
        }
      }
    }
  }
}
