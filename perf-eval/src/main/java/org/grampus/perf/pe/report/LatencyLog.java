package org.grampus.perf.pe.report;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.HdrHistogram.HistogramLogWriter;
import org.grampus.perf.pe.client.RunResult;
import org.grampus.perf.pe.measure.Interval;
import org.grampus.perf.pe.measure.Series;

/** Latencies of each interval in HdrHistogram's log format, in microseconds; its tools read it. */
final class LatencyLog {
  private static final double MILLIS_OF_SECOND = 1000.0;

  /** The column of the greatest latency is in milliseconds, as the format's tools expect. */
  private static final double MICROS_OF_MILLI = 1000.0;

  private LatencyLog() {}

  static void write(Path file, RunResult run) throws IOException {
    Series series = run.series();
    Map<Long, Interval> intervals = series.intervals();
    try (PrintStream out =
        new PrintStream(Files.newOutputStream(file), false, StandardCharsets.UTF_8)) {
      HistogramLogWriter log = new HistogramLogWriter(out);
      log.outputComment("[Latencies in microseconds, Interval_Max in milliseconds]");
      if (run.isPartial()) {
        log.outputComment("[Partial: " + run.extent() + "]");
      }
      log.outputLogFormatVersion();
      long first = intervals.keySet().stream().findFirst().orElse(0L);
      log.outputStartTime(first);
      log.setBaseTime(first);
      log.outputLegend();
      for (Map.Entry<Long, Interval> entry : intervals.entrySet()) {
        double begin = (entry.getKey() - first) / MILLIS_OF_SECOND;
        double end = begin + series.millis() / MILLIS_OF_SECOND;
        log.outputIntervalHistogram(begin, end, entry.getValue().micros(), MICROS_OF_MILLI);
      }
      if (out.checkError()) {
        throw new IOException("cannot write " + file);
      }
    }
  }
}
