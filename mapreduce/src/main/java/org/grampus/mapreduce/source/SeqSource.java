package org.grampus.mapreduce.source;

import java.io.EOFException;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.io.IOUtils;
import org.apache.hadoop.io.SequenceFile;
import org.apache.hadoop.mapreduce.lib.input.FileSplit;
import org.grampus.mapreduce.files.ResultSerializations;

/**
 * Sequence files of results, as HBase's Export and downloads write them. A record has a row key and
 * a list of cells.
 */
final class SeqSource implements RecordSource {
  private static final RecordShape SHAPE =
      new RecordShape(List.of(CellColumns.KEY, CellColumns.CELLS), true);

  private final Path path;
  private final long begin;
  private final long end;
  private final long length;
  private final SequenceFile.Reader reader;
  private boolean more;
  private long position;
  private Result last;

  private SeqSource(FileSplit split, long length, SequenceFile.Reader reader) throws IOException {
    this.path = split.getPath();
    this.begin = split.getStart();
    this.end = begin + split.getLength();
    this.length = length;
    this.reader = reader;
    if (begin > reader.getPosition()) {
      reader.sync(begin);
    }
    this.more = reader.getPosition() < end;
  }

  static SeqSource open(Configuration conf, FileSplit split) throws IOException {
    Path path = split.getPath();
    long length = path.getFileSystem(conf).getFileStatus(path).getLen();
    SequenceFile.Reader reader = reader(conf, path, length);
    try {
      if (!Result.class.getName().equals(reader.getValueClassName())) {
        throw new IOException(path + " has no results, but " + reader.getValueClassName());
      }
      return new SeqSource(split, length, reader);
    } catch (IOException | RuntimeException e) {
      IOUtils.closeStream(reader);
      throw e;
    }
  }

  private static SequenceFile.Reader reader(Configuration conf, Path path, long length)
      throws IOException {
    try {
      return new SequenceFile.Reader(
          ResultSerializations.in(conf),
          SequenceFile.Reader.file(path),
          SequenceFile.Reader.length(length));
    } catch (EOFException e) {
      throw new CutFileException(path, "its header", length, e);
    }
  }

  @Override
  public SourceRecord next() throws IOException {
    long before = reader.getPosition();
    try {
      if (!more || !read(before)) {
        more = false;
        return null;
      }
    } catch (EOFException e) {
      throw cut(before, e);
    }
    position = before;
    if (last.isEmpty()) {
      return SourceRecord.bad("it has no cell");
    }
    return SourceRecord.of(SHAPE, new Object[] {last.getRow(), cells(last)});
  }

  /** False at the end; what is behind a mark beyond the end is the next split's. */
  private boolean read(long from) throws IOException {
    if (reader.next((Object) null) == null) {
      requireWhole(from);
      return false;
    }
    if (from >= end && reader.syncSeen()) {
      return false;
    }
    last = (Result) reader.getCurrentValue((Object) null);
    return true;
  }

  /** The library takes the end of the file within a block for its end. */
  private void requireWhole(long from) throws IOException {
    long known = reader.isBlockCompressed() ? from : reader.getPosition();
    if (known < length) {
      throw cut(from, null);
    }
  }

  private CutFileException cut(long from, Exception cause) {
    return new CutFileException(path, "what is at byte " + from, length, cause);
  }

  private static List<Map<String, Object>> cells(Result row) {
    List<Map<String, Object>> cells = new ArrayList<>(row.size());
    for (Cell cell : row.rawCells()) {
      Map<String, Object> fields = new LinkedHashMap<>();
      fields.put(CellColumns.FAMILY, CellUtil.cloneFamily(cell));
      fields.put(CellColumns.QUALIFIER, CellUtil.cloneQualifier(cell));
      fields.put(CellColumns.TIMESTAMP, Instant.ofEpochMilli(cell.getTimestamp()));
      fields.put(CellColumns.TYPE, (long) cell.getType().getCode());
      fields.put(CellColumns.VALUE, CellUtil.cloneValue(cell));
      cells.add(fields);
    }
    return cells;
  }

  @Override
  public Place place() {
    return new Place(path.toString(), Place.Unit.BLOCK, position);
  }

  @Override
  public String raw() {
    return String.valueOf(last);
  }

  @Override
  public float progress() throws IOException {
    long read = reader.getPosition() - begin;
    return end == begin ? 1 : Math.min(1, (float) read / (end - begin));
  }

  @Override
  public void close() throws IOException {
    reader.close();
  }
}
