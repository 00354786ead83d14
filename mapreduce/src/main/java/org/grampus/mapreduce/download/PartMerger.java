package org.grampus.mapreduce.download;

import java.io.IOException;
import java.util.List;
import java.util.OptionalLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.IOUtils;
import org.grampus.compat.error.ErrorAdapter;
import org.grampus.engine.EngineException;
import org.grampus.engine.NativeTableFile;
import org.grampus.mapreduce.files.FileFormat;
import org.grampus.mapreduce.files.StreamSink;
import org.grampus.mapreduce.snapshot.HadoopFiles;

/** Makes one file of a download's parts, without a look at their rows. */
@FunctionalInterface
interface PartMerger {
  /**
   * Appends parts to a file.
   *
   * @param parts in the order of rows, at least one
   * @param out stays open
   * @return how many rows there were, where the merger has counted them
   */
  OptionalLong merge(Configuration conf, FileSystem fs, List<Path> parts, CountedOutput out)
      throws IOException;

  /** The merger of a format. */
  static PartMerger of(FileFormat format) {
    return switch (format) {
      case PARQUET -> PartMerger::rowGroups;
      case AVRO -> AvroMerger::merge;
      case SEQ -> SeqMerger::merge;
      case CSV, TSV, JSONL -> PartMerger::bytes;
    };
  }

  private static OptionalLong bytes(
      Configuration conf, FileSystem fs, List<Path> parts, CountedOutput out) throws IOException {
    for (Path part : parts) {
      try (FSDataInputStream in = fs.open(part)) {
        IOUtils.copyBytes(in, out, conf, false);
      }
    }
    return OptionalLong.empty();
  }

  private static OptionalLong rowGroups(
      Configuration conf, FileSystem fs, List<Path> parts, CountedOutput out) throws IOException {
    List<String> paths = parts.stream().map(Path::toString).toList();
    try {
      return OptionalLong.of(
          NativeTableFile.mergeParquet(paths, HadoopFiles.of(fs), new StreamSink(out)).rows());
    } catch (EngineException e) {
      throw ErrorAdapter.adapt("the parts cannot become one file", e);
    }
  }
}
