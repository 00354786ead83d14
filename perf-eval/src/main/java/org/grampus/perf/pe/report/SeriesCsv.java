package org.grampus.perf.pe.report;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVPrinter;
import org.grampus.perf.pe.measure.Interval;
import org.grampus.perf.pe.measure.Series;

/** A line for each interval, those without an answer included; latencies in microseconds. */
final class SeriesCsv {
  private static final CSVFormat FORMAT =
      CSVFormat.DEFAULT
          .builder()
          .setHeader(
              "epochMillis",
              "intervalMillis",
              "operations",
              "measured",
              "p50",
              "p99",
              "p99.9",
              "max")
          .setRecordSeparator('\n')
          .build();

  private SeriesCsv() {}

  static void write(Path file, Series series) throws IOException {
    try (CSVPrinter out =
        new CSVPrinter(Files.newBufferedWriter(file, StandardCharsets.UTF_8), FORMAT)) {
      for (Map.Entry<Long, Interval> entry : series.intervals().entrySet()) {
        Histogram micros = entry.getValue().micros();
        out.printRecord(
            entry.getKey(),
            series.millis(),
            entry.getValue().operations(),
            micros.getTotalCount(),
            micros.getValueAtPercentile(50),
            micros.getValueAtPercentile(99),
            micros.getValueAtPercentile(99.9),
            micros.getMaxValue());
      }
    }
  }
}
