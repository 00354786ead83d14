package org.grampus.perf.stock;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.grampus.perf.ToolException;

/**
 * What PerformanceEvaluation says about a run.
 *
 * @param rows of all clients
 * @param millis of the slowest client
 * @param p50Micros the clients' median latency, the highest of them; 0 where none was measured
 * @param p99Micros their 99th percentile, the highest of them
 */
public record PeOutput(long rows, long millis, double p50Micros, double p99Micros) {
  private static final Pattern FINISHED =
      Pattern.compile("Finished \\S*TestClient-\\d+\\S* in (\\d+)ms over (\\d+) rows");
  private static final Pattern LATENCY =
      Pattern.compile("Latency \\(us\\) : .* 50th=([0-9.]+),.* 99th=([0-9.]+),");

  /**
   * Reads it.
   *
   * @throws ToolException when no client has said that it finished
   */
  public static PeOutput parse(String output) throws ToolException {
    long rows = 0;
    long millis = 0;
    Matcher finished = FINISHED.matcher(output);
    while (finished.find()) {
      millis = Math.max(millis, Long.parseLong(finished.group(1)));
      rows += Long.parseLong(finished.group(2));
    }
    if (rows == 0) {
      throw new ToolException("PerformanceEvaluation printed no client that finished");
    }
    double p50 = 0;
    double p99 = 0;
    Matcher latency = LATENCY.matcher(output);
    while (latency.find()) {
      p50 = Math.max(p50, Double.parseDouble(latency.group(1)));
      p99 = Math.max(p99, Double.parseDouble(latency.group(2)));
    }
    return new PeOutput(rows, millis, p50, p99);
  }

  /** Rows of all clients against the time of the slowest. */
  public double rowsPerSecond() {
    return rows * 1000.0 / Math.max(millis, 1);
  }
}
