package org.grampus.mapreduce.download;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.ParseFilter;
import org.apache.hadoop.hbase.util.Bytes;
import org.grampus.engine.EngineException;
import org.grampus.engine.MappedColumn;
import org.grampus.engine.NativeTableFile;
import org.grampus.mapreduce.columns.MappedScan;
import org.grampus.mapreduce.files.PrintedBytes;
import picocli.CommandLine.Option;

/** Which rows and cells of a table are wanted: options of a command. */
final class RowSelection {
  private static final String SEPARATOR = ",";

  @Option(
      names = "--rows",
      paramLabel = "A,B",
      description =
          "Rows from A on and before B, either of which may be empty; \\xNN is a byte, as the comma"
              + " in a key: \\x2C.")
  private String rows;

  @Option(
      names = "--filter",
      paramLabel = "EXPRESSION",
      description =
          "In the language of HBase's shell, such as \"PrefixFilter('a')\". Columns that it looks"
              + " at must be among --columns.")
  private String filter;

  @Option(
      names = "--time-range",
      paramLabel = "A,B",
      description = "Cells with timestamps from A on and before B, in milliseconds.")
  private String times;

  /**
   * Refuses options that cannot be meant so, before anything is begun.
   *
   * @param mapping the columns (docs/downloads.md) if the user names them, or null
   * @param withKey whether columns without the row key are refused too
   * @throws IllegalArgumentException with a sentence. Rows that cannot be any are refused too: a
   *     download of nothing would look like an empty table
   */
  void require(String mapping, boolean withKey) {
    try {
      scan(mapping == null ? List.of() : NativeTableFile.columns(mapping));
      if (withKey && mapping != null) {
        NativeTableFile.mapping(mapping); // which refuses one without the row key
      }
    } catch (EngineException e) {
      throw new IllegalArgumentException("--columns: " + e.getMessage(), e);
    }
  }

  /**
   * The scan of what is wanted.
   *
   * @param mapping the columns
   */
  Scan scan(String mapping) {
    return scan(NativeTableFile.columns(mapping));
  }

  private Scan scan(List<MappedColumn> columns) {
    Scan scan = new Scan().setCacheBlocks(false);
    rows(scan);
    times(scan);
    if (filter != null) {
      scan.setFilter(parsed());
    }
    MappedScan.ask(scan, columns);
    return scan;
  }

  private void rows(Scan scan) {
    if (rows == null) {
      return;
    }
    String[] keys = two("--rows", rows);
    byte[] first = PrintedBytes.parse(keys[0]);
    byte[] last = PrintedBytes.parse(keys[1]);
    if (last.length > 0 && Bytes.compareTo(first, last) >= 0) {
      throw new IllegalArgumentException(
          "--rows has no row: its first key is not before its last one");
    }
    scan.withStartRow(first).withStopRow(last);
  }

  private void times(Scan scan) {
    if (times == null) {
      return;
    }
    String[] numbers = two("--time-range", times);
    try {
      scan.setTimeRange(Long.parseLong(numbers[0]), Long.parseLong(numbers[1]));
    } catch (IOException | IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "--time-range " + times + " is no range of milliseconds: " + e.getMessage(), e);
    }
  }

  private static String[] two(String option, String value) {
    String[] parts = value.split(SEPARATOR, -1);
    if (parts.length != 2) {
      throw new IllegalArgumentException(option + " needs two values with a comma between them");
    }
    return parts;
  }

  private Filter parsed() {
    try {
      return new ParseFilter().parseFilterString(filter.getBytes(StandardCharsets.UTF_8));
    } catch (IOException | RuntimeException e) {
      throw new IllegalArgumentException("--filter cannot be read: " + e.getMessage(), e);
    }
  }
}
