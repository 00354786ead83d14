package org.grampus.mapreduce.source;

import java.io.IOException;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericRecord;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.IOUtils;
import org.apache.hadoop.mapreduce.lib.input.FileSplit;

/** Avro: the records of the blocks that begin in the split. */
final class AvroSource implements RecordSource {
  private final Path path;
  private final long begin;
  private final long end;
  private final AvroBlocks reader;
  private final AvroValues values;
  private GenericRecord last;

  private AvroSource(FileSplit split, AvroBlocks reader) throws IOException {
    this.path = split.getPath();
    this.begin = split.getStart();
    this.end = begin + split.getLength();
    this.reader = reader;
    if (reader.getSchema().getType() != Schema.Type.RECORD) {
      throw new IOException("it has no records, for its schema is " + reader.getSchema());
    }
    this.values = new AvroValues(reader.getSchema());
    reader.goTo(begin);
  }

  static AvroSource open(Configuration conf, FileSplit split) throws IOException {
    Path path = split.getPath();
    FileSystem fs = path.getFileSystem(conf);
    long length = fs.getFileStatus(path).getLen();
    FSDataInputStream file = fs.open(path);
    try {
      return new AvroSource(split, new AvroBlocks(file, path, length));
    } catch (IOException | RuntimeException e) { // both are how the library says that it is none
      IOUtils.closeStream(file);
      throw unreadable(path, e);
    }
  }

  private static IOException unreadable(Path path, Exception e) {
    return new IOException(path + " cannot be read as Avro: " + e.getMessage(), e);
  }

  @Override
  public SourceRecord next() throws IOException {
    try {
      if (!reader.hasNextBefore(end)) {
        return null;
      }
      last = reader.next(last);
      return SourceRecord.of(values.shape(), values.of(last));
    } catch (CutFileException e) {
      throw e;
    } catch (UnsupportedTypeException e) {
      throw new IOException(path + ": " + e.getMessage(), e);
    } catch (IOException | RuntimeException e) { // how the library says that it is damaged
      throw unreadable(path, e);
    }
  }

  @Override
  public Place place() {
    return new Place(path.toString(), Place.Unit.BLOCK, reader.previousSync());
  }

  @Override
  public String raw() {
    return String.valueOf(last);
  }

  @Override
  public float progress() {
    long read = reader.previousSync() - begin;
    return end == begin ? 1 : Math.max(0, Math.min(1, (float) read / (end - begin)));
  }

  @Override
  public void close() throws IOException {
    reader.close();
  }
}
