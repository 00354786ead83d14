package org.grampus.perf.compare;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.io.Reader;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.grampus.perf.ToolException;
import org.grampus.perf.client.ClientFigures;
import org.grampus.perf.process.ClientRun;

/**
 * A test of our PerformanceEvaluation.
 *
 * @param table what it is about
 * @param test its name
 * @param clients threads that run it
 * @param first operations of the first run
 * @param options beside those of the table, which they override
 */
record PeWork(PeTable table, String test, int clients, long first, List<String> options)
    implements Work {
  private static final String SCAN = "scan";
  private static final long CALLS = 50_000;
  private static final long BATCHED = 400_000;

  /** PerformanceEvaluation takes no more behind the point of a sample rate. */
  private static final int DIGITS = 6;

  private static final double MILLIS = 1000;

  /** Calls of several clients. */
  static PeWork calls(PeTable table, String test, String... options) {
    return new PeWork(table, test, Sizes.CLIENTS, CALLS, List.of(options));
  }

  /** Puts through the buffers of several clients. */
  static PeWork batches(PeTable table, String test) {
    return new PeWork(table, test, Sizes.CLIENTS, BATCHED, List.of());
  }

  /** Scans of the whole table by one client. */
  static PeWork scans(PeTable table, String... options) {
    return new PeWork(table, SCAN, 1, Long.MAX_VALUE, List.of(options));
  }

  PeWork {
    options = List.copyOf(options);
  }

  @Override
  public long firstOperations(Sizes sizes) {
    return Math.min(first, table.rows().applyAsLong(sizes));
  }

  /** An operation is a row of one client: some rows of the table, or all of them several times. */
  @Override
  public List<String> arguments(Sizes sizes, long operations, Path report) {
    long rows = table.rows().applyAsLong(sizes);
    long cycles = Math.max(1, (operations + rows - 1) / rows);
    List<String> more = new ArrayList<>(options);
    more.add("--report=" + report);
    if (test.equals(SCAN)) {
      cycles = Math.max(1, Math.round((double) operations / rows));
    } else {
      more.add("--sampleRate=" + part(operations, cycles * rows));
    }
    more.add("--cycles=" + cycles);
    return table.arguments(sizes, clients, more, test);
  }

  private static String part(long operations, long of) {
    return BigDecimal.valueOf(operations)
        .divide(BigDecimal.valueOf(of), DIGITS, RoundingMode.UP)
        .min(BigDecimal.ONE)
        .toPlainString();
  }

  @Override
  public ClientFigures figures(ClientRun run, Path report) throws ToolException, IOException {
    try (Reader json = Files.newBufferedReader(report.resolve("result.json"))) {
      return parse(JsonParser.parseReader(json).getAsJsonObject());
    }
  }

  static ClientFigures parse(JsonObject result) throws ToolException {
    long operations = result.getAsJsonObject("counts").get("operations").getAsLong();
    if (operations == 0) {
      throw new ToolException("PerformanceEvaluation says that it did nothing: " + result);
    }
    JsonObject latencies = result.getAsJsonObject("latencyMicros");
    return new ClientFigures(
        operations,
        result.get("wallClockMillis").getAsLong() / MILLIS,
        micros(latencies.get("p50.0")),
        micros(latencies.get("p99.0")),
        0,
        0);
  }

  private static Double micros(JsonElement latency) {
    return latency == null ? null : latency.getAsDouble();
  }
}
