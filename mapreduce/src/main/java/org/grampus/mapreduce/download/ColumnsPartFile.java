package org.grampus.mapreduce.download;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.KeyValueUtil;
import org.apache.hadoop.hbase.client.Result;
import org.grampus.compat.error.ErrorAdapter;
import org.grampus.engine.EngineException;
import org.grampus.engine.NativeFrozenScan;
import org.grampus.engine.NativeTableFile;
import org.grampus.engine.ScanInfo;
import org.grampus.engine.TableFileRequest;
import org.grampus.engine.TableSink;

/** A file of typed columns, which the engine writes. */
final class ColumnsPartFile implements PartFile {
  /** So many bytes of cells, and rows, are handed over at a time; more for a larger row. */
  private static final int BLOCK_BYTES = 1 << 20;

  private static final int BLOCK_ROWS = 1024;

  private final NativeTableFile file;
  private ByteBuffer cells = ByteBuffer.allocateDirect(BLOCK_BYTES);
  private final int[] counts = new int[BLOCK_ROWS];
  private int rows;

  ColumnsPartFile(TableFileRequest request, TableSink sink) throws IOException {
    try {
      file = NativeTableFile.open(request, sink);
    } catch (EngineException e) {
      throw ErrorAdapter.adapt("cannot begin a file of " + request.format(), e);
    }
  }

  /** Begins the rows of a scan, which becomes the file's. */
  void begin(NativeFrozenScan scan) {
    file.begin(scan);
  }

  /**
   * Writes for about a second the rows of the scan that was begun.
   *
   * @return false when all of them are written
   */
  boolean advance(ScanInfo info) {
    return file.advance(info);
  }

  @Override
  public void append(Result row) throws IOException {
    long bytes = bytes(row);
    if (rows == BLOCK_ROWS || bytes > cells.remaining()) {
      handOver();
      reserve(bytes);
    }
    for (Cell cell : row.rawCells()) {
      cells.putInt(KeyValueUtil.getSerializedSize(cell, false));
      cells.position(KeyValueUtil.appendTo(cell, cells, cells.position(), false));
    }
    counts[rows++] = row.size();
  }

  private void reserve(long bytes) throws IOException {
    if (bytes > Integer.MAX_VALUE) {
      throw new IOException("a row of " + bytes + " bytes is too large for a file of columns");
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

  private void handOver() throws IOException {
    if (rows == 0) {
      return;
    }
    try {
      file.append(cells.flip(), counts, rows);
    } catch (EngineException e) {
      throw ErrorAdapter.adapt("rows cannot be written", e);
    }
    cells.clear();
    rows = 0;
  }

  @Override
  public long finish() throws IOException {
    handOver();
    try {
      return file.finish().rows();
    } catch (EngineException e) {
      throw ErrorAdapter.adapt("a file cannot be completed", e);
    }
  }

  @Override
  public void close() {
    file.close();
  }
}
