package org.grampus.mapreduce.download;

import java.io.IOException;
import java.util.List;
import java.util.OptionalLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.DataOutputBuffer;
import org.apache.hadoop.io.SequenceFile;
import org.grampus.mapreduce.files.ResultSerializations;

/** Makes one sequence file of several, whose records are copied as bytes. */
final class SeqMerger {
  private SeqMerger() {}

  static OptionalLong merge(Configuration conf, FileSystem fs, List<Path> parts, CountedOutput out)
      throws IOException {
    Configuration serializing = ResultSerializations.in(conf);
    try (SequenceFile.Writer writer = like(serializing, parts.get(0), out)) {
      long rows = 0;
      for (Path part : parts) {
        rows += append(serializing, part, writer);
      }
      return OptionalLong.of(rows);
    }
  }

  /** A writer with the classes and the codec of a file. */
  private static SequenceFile.Writer like(Configuration conf, Path part, CountedOutput out)
      throws IOException {
    try (SequenceFile.Reader first =
        new SequenceFile.Reader(conf, SequenceFile.Reader.file(part))) {
      return SequenceFile.createWriter(
          conf,
          SequenceFile.Writer.stream(new FSDataOutputStream(out, null)),
          SequenceFile.Writer.keyClass(first.getKeyClass()),
          SequenceFile.Writer.valueClass(first.getValueClass()),
          SequenceFile.Writer.compression(first.getCompressionType(), first.getCompressionCodec()));
    }
  }

  private static long append(Configuration conf, Path part, SequenceFile.Writer writer)
      throws IOException {
    try (SequenceFile.Reader reader =
        new SequenceFile.Reader(conf, SequenceFile.Reader.file(part))) {
      DataOutputBuffer key = new DataOutputBuffer();
      SequenceFile.ValueBytes value = reader.createValueBytes();
      long rows = 0;
      while (reader.nextRaw(key, value) >= 0) {
        writer.appendRaw(key.getData(), 0, key.getLength(), value);
        key.reset();
        rows++;
      }
      return rows;
    }
  }
}
