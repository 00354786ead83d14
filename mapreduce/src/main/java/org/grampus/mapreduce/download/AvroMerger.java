package org.grampus.mapreduce.download;

import java.io.IOException;
import java.util.List;
import java.util.OptionalLong;
import org.apache.avro.file.CodecFactory;
import org.apache.avro.file.DataFileConstants;
import org.apache.avro.file.DataFileStream;
import org.apache.avro.file.DataFileWriter;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.commons.io.output.CloseShieldOutputStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** Makes one Avro file of several, whose blocks are copied as they are. */
final class AvroMerger {
  private AvroMerger() {}

  static OptionalLong merge(Configuration conf, FileSystem fs, List<Path> parts, CountedOutput out)
      throws IOException {
    try (DataFileWriter<GenericRecord> writer =
        new DataFileWriter<>(new GenericDatumWriter<GenericRecord>())) {
      begin(fs, parts.get(0), writer, out);
      for (Path part : parts) {
        try (DataFileStream<GenericRecord> rows = open(fs, part)) {
          writer.appendAllFrom(rows, false);
        }
      }
    }
    return OptionalLong.empty();
  }

  /** Begins a file with the schema and the codec of a part. */
  private static void begin(
      FileSystem fs, Path part, DataFileWriter<GenericRecord> writer, CountedOutput out)
      throws IOException {
    try (DataFileStream<GenericRecord> first = open(fs, part)) {
      String codec = first.getMetaString(DataFileConstants.CODEC);
      if (codec != null) {
        writer.setCodec(CodecFactory.fromString(codec));
      }
      writer.create(first.getSchema(), CloseShieldOutputStream.wrap(out));
    }
  }

  private static DataFileStream<GenericRecord> open(FileSystem fs, Path part) throws IOException {
    return new DataFileStream<>(fs.open(part), new GenericDatumReader<>());
  }
}
