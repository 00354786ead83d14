package org.grampus.mapreduce.source;

import java.io.IOException;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.apache.hadoop.io.compress.CompressionCodecFactory;
import org.apache.hadoop.mapreduce.lib.input.FileSplit;
import org.grampus.mapreduce.files.FileFormat;

/** Opens the source of a split. */
public final class RecordSources {
  /** What names of files end with, besides the formats' own names. */
  private static final Map<String, FileFormat> OTHER_NAMES =
      Map.of("ndjson", FileFormat.JSONL, "tab", FileFormat.TSV);

  private RecordSources() {}

  /** Whether the name of a file says its format. */
  public static boolean hasFormat(Configuration conf, Path path) {
    return ofName(conf, path) != null;
  }

  /**
   * The format of a file.
   *
   * @throws IOException when neither the options nor the name say it
   */
  public static FileFormat format(Configuration conf, Path path, SourceOptions options)
      throws IOException {
    if (options.format() != null) {
      return options.format();
    }
    FileFormat format = ofName(conf, path);
    if (format == null) {
      throw new IOException(
          "the name of " + path + " does not say what format it has; give --format");
    }
    return format;
  }

  /** Null when the name says none. */
  private static FileFormat ofName(Configuration conf, Path path) {
    CompressionCodec codec = SourceFile.codec(conf, path);
    String name = path.getName();
    String plain =
        codec == null
            ? name
            : CompressionCodecFactory.removeSuffix(name, codec.getDefaultExtension());
    String end = plain.substring(plain.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
    return Stream.of(FileFormat.values())
        .filter(format -> format.toString().equals(end))
        .findFirst()
        .orElse(OTHER_NAMES.get(end));
  }

  /** Whether splits of a file of a format may begin within it. */
  public static boolean isSplitable(Configuration conf, Path path, FileFormat format) {
    return switch (format) {
      case CSV, TSV, JSONL -> SourceFile.codec(conf, path) == null;
      case PARQUET, AVRO, SEQ -> true;
    };
  }

  /**
   * Opens a split.
   *
   * @throws IOException when the file cannot be read, or has not what its format has
   */
  public static RecordSource open(Configuration conf, FileSplit split, SourceOptions options)
      throws IOException {
    Path path = split.getPath();
    try {
      return new NamedSource(source(conf, split, options), path);
    } catch (IOException | RuntimeException e) {
      throw NamedSource.named(path, e);
    }
  }

  private static RecordSource source(Configuration conf, FileSplit split, SourceOptions options)
      throws IOException {
    return switch (format(conf, split.getPath(), options)) {
      case CSV -> CsvSource.open(conf, split, options.header());
      case TSV -> TsvSource.open(conf, split, options.header());
      case JSONL -> JsonSource.open(conf, split);
      case PARQUET -> ParquetSource.open(conf, split, options.wanted());
      case AVRO -> AvroSource.open(conf, split);
      case SEQ -> SeqSource.open(conf, split);
    };
  }
}
