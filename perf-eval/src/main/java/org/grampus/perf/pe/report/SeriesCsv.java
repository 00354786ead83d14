package org.grampus.perf.pe.report;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVPrinter;
import org.grampus.perf.pe.client.RunResult;
import org.grampus.perf.pe.measure.Interval;
import org.grampus.perf.pe.measure.Series;

/**
 * A line for each interval, those without an answer included; latencies in microseconds. A comment
 * before the header says of a run that has failed how much of it there is.
 */
final class SeriesCsv {
  private static final CSVFormat FORMAT =
      CSVFormat.DEFAULT.builder().setCommentMarker('#').setRecordSeparator('\n').build();

  private static final String[] HEADER = {
    "epochMillis", "intervalMillis", "operations", "measured", "p50", "p99", "p99.9", "max"
  };

  private SeriesCsv() {}

  static void write(Path file, RunResult run) throws IOException {
    Series series = run.series();
    try (CSVPrinter out =
        new CSVPrinter(Files.newBufferedWriter(file, StandardCharsets.UTF_8), FORMAT)) {
      if (run.isPartial()) {
        out.printComment("partial: " + run.extent());
      }
      out.printRecord((Object[]) HEADER);
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
