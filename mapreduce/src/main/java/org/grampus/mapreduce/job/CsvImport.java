package org.grampus.mapreduce.job;

import java.io.BufferedInputStream;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.GZIPInputStream;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.util.Time;

/**
 * Imports a CSV file (plain, or gzip by its name) whose first line is the header. A file that was
 * imported in part can be imported again.
 */
final class CsvImport {
  private static final String GZIP_SUFFIX = ".gz";
  private static final int BUFFER_BYTES = 1 << 16;

  /** What an import did. */
  record Report(long rows, long cells, long millis) {}

  private final Connection connection;
  private final boolean showProgress;

  CsvImport(Connection connection, boolean showProgress) {
    this.connection = connection;
    this.showProgress = showProgress;
  }

  /** Imports a file; returns once the server has acknowledged every row. */
  Report run(Path file, TableName table, String family, List<String> key, String keySeparator)
      throws IOException {
    long start = Time.monotonicNow();
    long rows = 0;
    long cells = 0;
    try (InputStream bytes = open(file);
        InputStream text =
            file.toString().endsWith(GZIP_SUFFIX)
                ? new GZIPInputStream(bytes, BUFFER_BYTES)
                : bytes;
        BufferedReader reader =
            new BufferedReader(new InputStreamReader(text, StandardCharsets.UTF_8));
        CSVParser lines =
            CSVFormat.RFC4180
                .builder()
                .setHeader()
                .setSkipHeaderRecord(true)
                .build()
                .parse(reader);
        BufferedMutator mutator = connection.getBufferedMutator(table)) {
      CsvTable csv = new CsvTable(lines.getHeaderNames(), key, keySeparator, family);
      for (CSVRecord line : lines) {
        Put put = csv.put(line);
        cells += put.size();
        rows++;
        mutator.mutate(put);
      }
    }
    return new Report(rows, cells, Time.monotonicNow() - start);
  }

  private InputStream open(Path file) throws IOException {
    InputStream bytes = new BufferedInputStream(Files.newInputStream(file), BUFFER_BYTES);
    if (!showProgress) {
      return bytes;
    }
    return ProgressBar.wrap(
        bytes,
        new ProgressBarBuilder()
            .setTaskName("import " + file.getFileName())
            .setInitialMax(Files.size(file))
            .setUnit("KB", 1024)
            .setUpdateIntervalMillis(500));
  }
}
