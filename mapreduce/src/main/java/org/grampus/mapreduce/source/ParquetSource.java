package org.grampus.mapreduce.source;

import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.lib.input.FileSplit;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.ParquetReader;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.metadata.ParquetMetadata;
import org.apache.parquet.hadoop.util.HadoopInputFile;
import org.apache.parquet.schema.GroupType;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.Type;

/** Parquet: the rows of the row groups whose middle is in the split, of the columns wanted. */
final class ParquetSource implements RecordSource {
  private final Path path;
  private final ParquetReader<Group> reader;
  private final GroupType schema;
  private final RecordShape shape;
  private final long rows;
  private long read;
  private Group last;

  private ParquetSource(Path path, ParquetReader<Group> reader, GroupType schema, long rows) {
    this.path = path;
    this.reader = reader;
    this.schema = schema;
    this.shape = new RecordShape(ParquetValues.names(schema), true);
    this.rows = rows;
  }

  /**
   * Opens a split.
   *
   * @param wanted columns, or null for all
   */
  static ParquetSource open(Configuration conf, FileSplit split, Set<String> wanted)
      throws IOException {
    Path path = split.getPath();
    long begin = split.getStart();
    long end = begin + split.getLength();
    try {
      ParquetMetadata footer = footer(conf, path);
      MessageType schema = projection(footer.getFileMetaData().getSchema(), wanted);
      ParquetReader<Group> reader =
          ParquetReader.builder(new ProjectedGroups(schema), path)
              .withConf(conf)
              .withFileRange(begin, end)
              .build();
      return new ParquetSource(path, reader, schema, rows(footer, begin, end));
    } catch (RuntimeException e) { // how the library says that a file is none
      throw new IOException(path + " cannot be read as Parquet: " + e.getMessage(), e);
    }
  }

  private static ParquetMetadata footer(Configuration conf, Path path) throws IOException {
    try (ParquetFileReader file = ParquetFileReader.open(HadoopInputFile.fromPath(path, conf))) {
      return file.getFooter();
    }
  }

  /** A file without any wanted column is read as a whole, so that what is missing can be said. */
  private static MessageType projection(MessageType schema, Set<String> wanted) {
    List<Type> fields =
        schema.getFields().stream()
            .filter(field -> wanted == null || wanted.contains(field.getName()))
            .toList();
    return fields.isEmpty() ? schema : new MessageType(schema.getName(), fields);
  }

  /** By the rule that the library has for its splits. */
  private static long rows(ParquetMetadata footer, long begin, long end) {
    long rows = 0;
    for (BlockMetaData group : footer.getBlocks()) {
      long middle = group.getStartingPos() + group.getCompressedSize() / 2;
      rows += begin <= middle && middle < end ? group.getRowCount() : 0;
    }
    return rows;
  }

  @Override
  public SourceRecord next() throws IOException {
    try {
      last = reader.read();
      if (last == null) {
        return null;
      }
      read++;
      return SourceRecord.of(shape, ParquetValues.of(last, schema));
    } catch (UnsupportedTypeException e) {
      throw new IOException(path + ": " + e.getMessage(), e);
    } catch (RuntimeException e) { // how the library says that a file is damaged
      throw new IOException(path + " cannot be read as Parquet: " + e.getMessage(), e);
    }
  }

  @Override
  public Place place() {
    return new Place(path.toString(), Place.Unit.RECORD, reader.getCurrentRowIndex() + 1);
  }

  @Override
  public String raw() {
    return String.valueOf(last).strip();
  }

  @Override
  public float progress() {
    return rows == 0 ? 1 : (float) read / rows;
  }

  @Override
  public void close() throws IOException {
    reader.close();
  }
}
