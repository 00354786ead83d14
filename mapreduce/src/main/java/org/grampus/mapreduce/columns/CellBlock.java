package org.grampus.mapreduce.columns;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.KeyValueUtil;
import org.apache.hadoop.hbase.client.Result;
import org.grampus.compat.error.ErrorAdapter;
import org.grampus.engine.EngineException;
import org.grampus.engine.RowFeed;

/** Rows that were read elsewhere, on their way to the engine many at a time. One thread. */
public final class CellBlock {
  /** Bytes of cells, and rows, that are handed over at a time; more for a larger row. */
  private static final int BLOCK_BYTES = 1 << 20;

  private static final int BLOCK_ROWS = 1024;

  private final RowFeed feed;
  private final int[] counts = new int[BLOCK_ROWS];
  private ByteBuffer cells = ByteBuffer.allocateDirect(BLOCK_BYTES);
  private int rows;

  /** An empty block. */
  public CellBlock(RowFeed feed) {
    this.feed = feed;
  }

  /**
   * Appends a whole row.
   *
   * @return whether rows were handed over
   */
  public boolean append(Result row) throws IOException {
    long bytes = bytes(row);
    boolean full = rows == BLOCK_ROWS || bytes > cells.remaining();
    if (full) {
      handOver();
      reserve(bytes);
    }
    for (Cell cell : row.rawCells()) {
      cells.putInt(KeyValueUtil.getSerializedSize(cell, false));
      cells.position(KeyValueUtil.appendTo(cell, cells, cells.position(), false));
    }
    counts[rows++] = row.size();
    return full;
  }

  private void reserve(long bytes) throws IOException {
    if (bytes > Integer.MAX_VALUE) {
      throw new IOException("a row of " + bytes + " bytes is too large for columns");
    }
    if (bytes > cells.capacity()) {
      cells = ByteBuffer.allocateDirect((int) bytes);
    }
  }

  private static long bytes(Result row) {
    long bytes = 0;
    for (Cell cell : row.rawCells()) {
      bytes += Integer.BYTES + KeyValueUtil.getSerializedSize(cell, false);
    }
    return bytes;
  }

  /** Hands over the rows that are still here. */
  public void handOver() throws IOException {
    if (rows == 0) {
      return;
    }
    try {
      feed.append(cells.flip(), counts, rows);
    } catch (EngineException e) {
      throw ErrorAdapter.adapt("rows cannot be taken", e);
    }
    cells.clear();
    rows = 0;
  }
}
