package org.grampus.mapreduce.source;

import java.io.IOException;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.Schema;
import org.apache.avro.file.DataFileReader;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericRecord;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.AvroFSInput;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.IOUtils;
import org.apache.hadoop.mapreduce.lib.input.FileSplit;

/** Avro: the records of the blocks that begin in the split. */
final class AvroSource implements RecordSource {
  private final Path path;
  private final long begin;
  private final long end;
  private final DataFileReader<GenericRecord> reader;
  private final AvroValues values;
  private GenericRecord last;

  private AvroSource(FileSplit split, DataFileReader<GenericRecord> reader) throws IOException {
    this.path = split.getPath();
    this.begin = split.getStart();
    this.end = begin + split.getLength();
    this.reader = reader;
    this.values = new AvroValues(reader.getSchema());
    reader.sync(begin);
  }

  static AvroSource open(Configuration conf, FileSplit split) throws IOException {
    Path path = split.getPath();
    AvroFSInput input = new AvroFSInput(FileContext.getFileContext(path.toUri(), conf), path);
    try {
      DataFileReader<GenericRecord> reader =
          new DataFileReader<>(input, new GenericDatumReader<>());
      if (reader.getSchema().getType() != Schema.Type.RECORD) {
        throw new IOException(path + " has no records: its schema is " + reader.getSchema());
      }
      return new AvroSource(split, reader);
    } catch (AvroRuntimeException e) {
      IOUtils.closeStream(input);
      throw unreadable(path, e);
    } catch (IOException | RuntimeException e) {
      IOUtils.closeStream(input);
      throw e;
    }
  }

  private static IOException unreadable(Path path, Exception e) {
    return new IOException(path + " cannot be read as Avro: " + e.getMessage(), e);
  }

  @Override
  public SourceRecord next() throws IOException {
    try {
      if (!reader.hasNext() || reader.pastSync(end)) {
        return null;
      }
      last = reader.next(last);
      return SourceRecord.of(values.shape(), values.of(last));
    } catch (UnsupportedTypeException e) {
      throw new IOException(path + ": " + e.getMessage(), e);
    } catch (RuntimeException e) { // how the library says that a file is damaged
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
