package org.grampus.mapreduce.download;

import java.io.IOException;
import org.apache.hadoop.hbase.client.Result;
import org.grampus.compat.error.ErrorAdapter;
import org.grampus.engine.EngineException;
import org.grampus.engine.NativeTableFile;
import org.grampus.engine.RowFeed;
import org.grampus.engine.TableFileRequest;
import org.grampus.engine.TableSink;
import org.grampus.mapreduce.columns.CellBlock;

/** A file of typed columns, which the engine writes. */
final class ColumnsPartFile implements PartFile {
  private final NativeTableFile file;
  private final CellBlock block;

  ColumnsPartFile(TableFileRequest request, TableSink sink) throws IOException {
    try {
      file = NativeTableFile.open(request, sink);
    } catch (EngineException e) {
      throw ErrorAdapter.adapt("cannot begin a file of " + request.format(), e);
    }
    block = new CellBlock(file);
  }

  /** What takes the rows of scans. */
  RowFeed feed() {
    return file;
  }

  @Override
  public void append(Result row) throws IOException {
    block.append(row);
  }

  @Override
  public long finish() throws IOException {
    block.handOver();
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
