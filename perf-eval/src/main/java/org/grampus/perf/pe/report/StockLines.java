package org.grampus.perf.pe.report;

import java.math.BigDecimal;
import java.math.MathContext;
import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.util.List;
import java.util.Locale;
import java.util.LongSummaryStatistics;
import java.util.function.Consumer;
import org.HdrHistogram.Histogram;
import org.grampus.perf.pe.client.ClientResult;
import org.grampus.perf.pe.client.Listener;
import org.grampus.perf.pe.client.RunResult;
import org.grampus.perf.pe.measure.LatencyText;
import org.grampus.perf.pe.option.Command;
import org.grampus.perf.pe.option.PeOptions;
import org.grampus.perf.pe.option.Share;

/**
 * The lines that scripts look for, as HBase 2.6 prints them. {@code docs/pe.md} lists where they
 * differ. For any thread: the lines of a client stay together.
 */
public final class StockLines implements Listener {
  private static final String STOCK_CLASS = "org.apache.hadoop.hbase.PerformanceEvaluation$";
  private static final BigDecimal MILLIS_OF_SECOND = BigDecimal.valueOf(1000);
  private static final BigDecimal BYTES_OF_MB = BigDecimal.valueOf(1 << 20);

  private final PeOptions options;
  private final Consumer<String> out;

  /** Lines about a run. */
  public StockLines(PeOptions options, Consumer<String> out) {
    this.options = options;
    this.out = out;
  }

  private String shortName() {
    Command command = options.command();
    String name = options.name();
    return command == Command.CUSTOM
        ? name.substring(Math.max(name.lastIndexOf('.'), name.lastIndexOf('$')) + 1)
        : command.testClass();
  }

  private String longName() {
    Command command = options.command();
    return "class "
        + (command == Command.CUSTOM ? options.name() : STOCK_CLASS + command.testClass());
  }

  @Override
  public synchronized void begins(Share share) {
    out.accept(
        "Start " + longName() + " at offset " + share.start() + " for " + share.rows() + " rows");
    out.accept("Timed test starting in thread " + Thread.currentThread().getName());
  }

  @Override
  public synchronized void ended(ClientResult client) {
    String thread = Thread.currentThread().getName();
    long millis = client.times().millis();
    out.accept("Test : " + shortName() + ", Thread : " + thread);
    Histogram micros = client.latencies().service();
    out.accept("Latency (us) : " + LatencyText.line(micros));
    out.accept("Num measures (latency) : " + micros.getTotalCount());
    out.accept(LatencyText.block(micros));
    if (options.pace().rate() != null) {
      out.accept("Response time (us) : " + LatencyText.line(client.latencies().response()));
    }
    String ended = client.isWhole() ? "Finished " : "Stopped ";
    out.accept(
        ended
            + longName()
            + " in "
            + millis
            + "ms at offset "
            + client.assignment().share().start()
            + " for "
            + client.counts().operations()
            + " rows ("
            + megabytesPerSecond(client.counts().bytes(), millis)
            + ")");
    out.accept(
        ended + thread + " in " + millis + "ms over " + client.counts().operations() + " rows");
    if (options.measure().latencyThresholdMillis() > 0) {
      out.accept(
          "Number of replies over latency threshold "
              + options.measure().latencyThresholdMillis()
              + "(ms) is "
              + client.latencies().overThreshold());
    }
  }

  private static String megabytesPerSecond(long bytes, long millis) {
    BigDecimal megabytes =
        BigDecimal.valueOf(bytes)
            .multiply(MILLIS_OF_SECOND)
            .divide(BigDecimal.valueOf(Math.max(1, millis)), MathContext.DECIMAL64)
            .divide(BYTES_OF_MB, MathContext.DECIMAL64);
    return new DecimalFormat("0.##", DecimalFormatSymbols.getInstance(Locale.ROOT))
            .format(megabytes)
        + " MB/s";
  }

  /** When all clients have ended. */
  public void summary(RunResult run) {
    List<Long> millis = run.clients().stream().map(one -> one.times().millis()).toList();
    out.accept("[" + shortName() + "] Summary of timings (ms): " + millis);
    LongSummaryStatistics range = millis.stream().mapToLong(Long::longValue).summaryStatistics();
    out.accept(
        "["
            + shortName()
            + " duration ]\tMin: "
            + range.getMin()
            + "ms\tMax: "
            + range.getMax()
            + "ms\tAvg: "
            + range.getSum() / range.getCount()
            + "ms");
    Histogram micros = run.latencies().service();
    out.accept(
        "[ Avg latency (us)]\t" + (micros.getTotalCount() == 0 ? 0 : Math.round(micros.getMean())));
    long rate = Math.round(run.together().operationsPerSecond());
    out.accept("[ Avg TPS/QPS]\t" + rate + "\t row per second");
    if (options.table().replicas() > 1) {
      out.accept("[results from replica regions] " + run.counts().stale());
    }
  }
}
