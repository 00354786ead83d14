package org.grampus.mapreduce.source;

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
  private final SequenceFile.Reader reader;
  private boolean more;
  private long position;
  private Result last;

  private SeqSource(FileSplit split, SequenceFile.Reader reader) throws IOException {
    this.path = split.getPath();
    this.begin = split.getStart();
    this.end = begin + split.getLength();
    this.reader = reader;
    if (begin > reader.getPosition()) {
      reader.sync(begin);
    }
    this.more = reader.getPosition() < end;
  }

  static SeqSource open(Configuration conf, FileSplit split) throws IOException {
    Path path = split.getPath();
    SequenceFile.Reader reader =
        new SequenceFile.Reader(ResultSerializations.in(conf), SequenceFile.Reader.file(path));
    try {
      if (!Result.class.getName().equals(reader.getValueClassName())) {
        throw new IOException(path + " has no results, but " + reader.getValueClassName());
      }
      return new SeqSource(split, reader);
    } catch (IOException | RuntimeException e) {
      IOUtils.closeStream(reader);
      throw e;
    }
  }

  @Override
  public SourceRecord next() throws IOException {
    long before = reader.getPosition();
    if (!more || reader.next((Object) null) == null || (before >= end && reader.syncSeen())) {
      more = false; // what is behind a mark beyond the end is the next split's
      return null;
    }
    position = before;
    last = (Result) reader.getCurrentValue((Object) null);
    if (last.isEmpty()) {
      return SourceRecord.bad("it has no cell");
    }
    return SourceRecord.of(SHAPE, new Object[] {last.getRow(), cells(last)});
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
