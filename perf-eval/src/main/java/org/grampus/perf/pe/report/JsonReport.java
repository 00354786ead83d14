package org.grampus.perf.pe.report;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.grampus.perf.pe.client.ClientResult;
import org.grampus.perf.pe.client.RunResult;
import org.grampus.perf.pe.measure.Counts;
import org.grampus.perf.pe.option.PeOptions;
import org.grampus.perf.pe.option.Setting;
import org.grampus.perf.result.Commit;

/** A run as JSON; {@code docs/pe.md} describes the fields. */
final class JsonReport {
  private static final Gson GSON =
      new GsonBuilder().setPrettyPrinting().disableHtmlEscaping().create();
  private static final double[] PERCENTILES = {50, 75, 90, 95, 99, 99.9, 99.99, 99.999};

  private JsonReport() {}

  static void write(
      Path file,
      Commit commit,
      PeOptions options,
      List<Setting> settings,
      RunResult run,
      List<String> failures)
      throws IOException {
    Map<String, Object> report = new LinkedHashMap<>();
    report.put("test", options.name());
    report.put("commit", commit);
    report.put("arguments", options.arguments());
    report.put("settings", settings);
    report.put("failures", failures);
    report.put("partial", run.isPartial());
    report.put("operationsAsked", run.operationsAsked());
    report.put("counts", counts(run.counts(), run.rowsAsked()));
    report.put("firstRequest", Instant.ofEpochMilli(run.times().firstMillis()).toString());
    report.put("lastAnswer", Instant.ofEpochMilli(run.times().lastMillis()).toString());
    report.put("wallClockMillis", run.times().millis());
    report.put("operationsPerSecond", run.operationsPerSecond());
    report.put("latencyMicros", latencies(run.latencies().service()));
    if (options.pace().rate() != null) {
      report.put("responseMicros", latencies(run.latencies().response()));
    }
    report.put("clients", run.clients().stream().map(JsonReport::client).toList());
    try (Writer out = Files.newBufferedWriter(file)) {
      GSON.toJson(report, out);
    }
  }

  private static Map<String, Object> counts(Counts counts, long rowsAsked) {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("operations", counts.operations());
    all.put("rowsAsked", rowsAsked);
    all.put("rows", counts.rows().done());
    all.put("missing", counts.rows().missing());
    all.put("wrong", counts.wrong());
    all.put("stale", counts.stale());
    all.put("bytes", counts.bytes());
    return all;
  }

  private static Map<String, Object> client(ClientResult client) {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("client", client.client());
    all.put("startRow", client.assignment().share().start());
    if (!client.isWhole()) {
      all.put("failure", client.failure());
    }
    all.put("operationsAsked", client.assignment().operations());
    all.put("millis", client.times().millis());
    all.put("counts", counts(client.counts(), client.counts().rows().expected()));
    all.put("latencyMicros", latencies(client.latencies().service()));
    return all;
  }

  private static Map<String, Object> latencies(Histogram micros) {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("count", micros.getTotalCount());
    if (micros.getTotalCount() > 0) {
      all.put("mean", micros.getMean());
      all.put("min", micros.getMinValue());
      all.put("max", micros.getMaxValue());
      for (double percentile : PERCENTILES) {
        all.put("p" + percentile, micros.getValueAtPercentile(percentile));
      }
    }
    return all;
  }
}
