package org.grampus.mapreduce.load;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.KeyValueUtil;
import org.apache.hadoop.io.ByteBufferPool;
import org.apache.hadoop.io.ElasticByteBufferPool;
import org.apache.hadoop.util.Time;
import org.grampus.compat.error.ErrorAdapter;
import org.grampus.engine.ColumnFileReport;
import org.grampus.engine.ColumnFileRequest;
import org.grampus.engine.EngineException;
import org.grampus.engine.FamilyDescription;
import org.grampus.engine.FileOpener;
import org.grampus.engine.NativeColumnFile;
import org.grampus.mapreduce.files.StreamSink;

/**
 * A column file that is written to a Hadoop file system. One thread. What is not finished is
 * deleted when it is closed.
 */
final class ColumnFile implements Closeable {
  private static final int BUFFER_BYTES = 1 << 20;

  /** Memory outside of the heap, which goes only with a collection, is used again. */
  private static final ByteBufferPool BUFFERS = new ElasticByteBufferPool();

  private final FileSystem fs;
  private final Path path;
  private final FSDataOutputStream out;
  private final NativeColumnFile file;
  private ByteBuffer cells = BUFFERS.getBuffer(true, BUFFER_BYTES);
  private boolean finished;

  private ColumnFile(FileSystem fs, Path path, FSDataOutputStream out, FamilyDescription family) {
    this.fs = fs;
    this.path = path;
    this.out = out;
    this.file =
        NativeColumnFile.open(new ColumnFileRequest(family, Time.now()), new StreamSink(out));
  }

  /** Begins a file, which must not be there yet. */
  static ColumnFile create(FileSystem fs, Path path, FamilyDescription family) throws IOException {
    FSDataOutputStream out = fs.create(path, false);
    try {
      return new ColumnFile(fs, path, out, family);
    } catch (EngineException e) {
      out.close();
      fs.delete(path, false);
      throw ErrorAdapter.adapt("cannot write " + path, e);
    }
  }

  /** Where it is. */
  Path path() {
    return path;
  }

  /** How large the file is, without the rows of the row group that is being made. */
  long bytes() {
    return out.getPos();
  }

  /** Adds a cell; cells come in HBase's order, and have timestamps. */
  void append(Cell cell) throws IOException {
    KeyValue keyValue = cell instanceof KeyValue own ? own : KeyValueUtil.copyToNewKeyValue(cell);
    int needed = Integer.BYTES + keyValue.getLength();
    if (cells.remaining() < needed) {
      hand();
      if (cells.capacity() < needed) {
        BUFFERS.putBuffer(cells);
        cells = BUFFERS.getBuffer(true, needed);
      }
    }
    cells.putInt(keyValue.getLength());
    cells.put(keyValue.getBuffer(), keyValue.getOffset(), keyValue.getLength());
  }

  /** Adds the rows of another file between two rows, the upper one excluded; empty = open. */
  void appendRows(String source, FileOpener files, byte[] from, byte[] until) throws IOException {
    hand();
    try {
      file.appendRows(source, files, from, until);
    } catch (EngineException e) {
      throw ErrorAdapter.adapt("cannot write " + path, e);
    }
  }

  private void hand() throws IOException {
    cells.flip();
    try {
      if (cells.hasRemaining()) {
        file.append(cells);
      }
    } catch (EngineException e) {
      throw ErrorAdapter.adapt("cannot write " + path, e);
    }
    cells.clear();
  }

  /** Completes the file. */
  ColumnFileReport finish() throws IOException {
    hand();
    ColumnFileReport report;
    try {
      report = file.finish();
    } catch (EngineException e) {
      throw ErrorAdapter.adapt("cannot write " + path, e);
    }
    out.close();
    end();
    return report;
  }

  private void end() {
    finished = true;
    BUFFERS.putBuffer(cells);
    cells = ByteBuffer.allocate(0);
  }

  @Override
  public void close() throws IOException {
    if (!finished) {
      end();
      file.close();
      try {
        out.close();
      } finally {
        fs.delete(path, false);
      }
    }
  }
}
