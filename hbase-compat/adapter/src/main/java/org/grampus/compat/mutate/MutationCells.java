package org.grampus.compat.mutate;

import java.io.IOException;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.client.WrongRowIOException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.grampus.compat.protocol.CellCursor;
import org.grampus.compat.protocol.KeyValueWriter;

/** What all mutations share: their cells from the request's cell block, and their row. */
final class MutationCells {
  private MutationCells() {}

  /** Takes the mutation's cells from the block and adds the time to live to each. */
  static int fromBlock(
      MutationProto mutation, RequestCells cells, long ttlMillis, MutationBatchWriter batch)
      throws IOException {
    int count = mutation.getAssociatedCellCount();
    for (int i = 0; i < count; i++) {
      CellCursor cell = cells.next(i, count);
      if (i == 0 && mutation.hasRow()) {
        checkRow(mutation.getRow(), cell);
      }
      if (ttlMillis == KeyValueWriter.NO_TTL) {
        batch.addCell(cell);
      } else {
        KeyValueWriter.writeWithTtl(batch.copiedCells(), cell, ttlMillis);
      }
    }
    return count;
  }

  private static void checkRow(ByteString row, CellCursor cell) throws WrongRowIOException {
    boolean same = row.size() == cell.rowLength();
    for (int i = 0; same && i < row.size(); i++) {
      same = row.byteAt(i) == cell.block().getByte(cell.rowOffset() + i);
    }
    if (!same) {
      throw new WrongRowIOException("The row of a cell doesn't match the row of its mutation");
    }
  }

  /** The row of a mutation without a cell block. */
  static ByteString row(MutationProto mutation) throws DoNotRetryIOException {
    if (!mutation.hasRow()) {
      throw new DoNotRetryIOException("row cannot be null");
    }
    return mutation.getRow();
  }
}
