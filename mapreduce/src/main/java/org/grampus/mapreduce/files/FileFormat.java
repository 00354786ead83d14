package org.grampus.mapreduce.files;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * Formats of files that downloads write and imports read. The engine writes all but sequence files;
 * imports read them through Java libraries.
 */
public enum FileFormat {
  /** Parquet. */
  PARQUET("zstd", "snappy", "none"),
  /** Avro object container files. */
  AVRO("deflate", "snappy", "none"),
  /** Commas, quotes, CR LF, and a header line: RFC 4180. */
  CSV,
  /** Tabs, nothing quoted, and a header line. */
  TSV,
  /** A JSON object per line. */
  JSONL,
  /** Hadoop's sequence files of rows and cells, as HBase's Export writes them. */
  SEQ("deflate", "none");

  @SuppressWarnings("ImmutableEnumChecker") // made by List.of
  private final List<String> codecs;

  FileFormat(String... codecs) {
    this.codecs = List.of(codecs);
  }

  /**
   * The format of a name.
   *
   * @throws IllegalArgumentException when there is none
   */
  public static FileFormat of(String name) {
    return Arrays.stream(values())
        .filter(format -> format.toString().equals(name))
        .findFirst()
        .orElseThrow(
            () -> new IllegalArgumentException("no format " + name + "; there are " + names()));
  }

  private static String names() {
    return Arrays.stream(values()).map(FileFormat::toString).collect(Collectors.joining(", "));
  }

  /** The codecs that its files can be compressed with, the usual one first; none for text. */
  public List<String> codecs() {
    return codecs;
  }

  /** The name, which is also how files end. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
