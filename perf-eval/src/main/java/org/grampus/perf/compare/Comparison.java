package org.grampus.perf.compare;

import java.util.List;
import java.util.Map;
import org.grampus.perf.result.ResultTable;
import org.grampus.perf.result.Run;

/** What came of the rows of all rounds, side by side. Immutable. */
public final class Comparison {
  /** The figure of a run that says in which round it was. */
  static final String ROUND = "round";

  private static final double BYTES_OF_MB = 1 << 20;

  private final String other;
  private final List<Verdict> verdicts;

  /**
   * Of runs that count.
   *
   * @param other what the server is called that Grampus is compared with
   * @param rows in the order of the tables; those without a run are left out
   * @param runs of all rounds, in each as many on either server
   */
  public Comparison(String other, List<Row> rows, List<Run> runs) {
    this.other = other;
    verdicts = Verdict.of(rows, runs);
  }

  List<Verdict> verdicts() {
    return verdicts;
  }

  String other() {
    return other;
  }

  /** Processor time against its goals. */
  public ResultTable goals() {
    ResultTable table =
        new ResultTable(
            "row",
            "work",
            "pairs",
            "Grampus µs",
            other + " µs",
            "ratio",
            "by pair",
            "95 % by round",
            "goal",
            "holds");
    for (Verdict verdict : verdicts) {
      table.row(
          verdict.row().name(),
          verdict.row().what(),
          ResultTable.cell("%d", verdict.all().grampus().size()),
          ResultTable.cell("%.2f", verdict.grampus().serverMicros()),
          ResultTable.cell("%.2f", verdict.other().serverMicros()),
          verdict.row().isTimed() ? ResultTable.cell("%.3f", verdict.ratio()) : "",
          verdict.row().isTimed() ? verdict.ratioByPair() : "",
          verdict.row().isTimed() ? verdict.interval() : "",
          verdict.row().goal().map(Goal::text).orElse(""),
          verdict.holds(verdicts).map(holds -> holds ? "yes" : "no").orElse(""));
    }
    return table;
  }

  /** Everything else. */
  public ResultTable figures() {
    ResultTable table =
        new ResultTable(
            "row",
            "server",
            "wall s",
            "server CPU s",
            "server µs",
            "client µs",
            "op/s",
            "p50 µs",
            "p99 µs",
            "errors",
            "peak RSS MB",
            "table MB");
    for (Verdict verdict : verdicts) {
      figures(table, verdict.row().name(), "Grampus", verdict.grampus());
      figures(table, verdict.row().name(), other, verdict.other());
    }
    return table;
  }

  private static void figures(ResultTable table, String row, String server, Summary summary) {
    table.row(
        row,
        server,
        ResultTable.cell("%.1f", summary.wallSeconds()),
        ResultTable.cell("%.2f", summary.serverCpuSeconds()),
        ResultTable.cell("%.2f", summary.serverMicros()),
        ResultTable.cell("%.2f", summary.clientMicros()),
        ResultTable.cell("%.0f", summary.operationsPerSecond()),
        micros(summary.p50Micros()),
        micros(summary.p99Micros()),
        ResultTable.cell("%d", summary.errors()),
        ResultTable.cell("%d", summary.peakRssMb()),
        ResultTable.cell("%.1f", summary.diskBytes() / BYTES_OF_MB));
  }

  private static String micros(double latency) {
    return Double.isNaN(latency) ? "" : ResultTable.cell("%.0f", latency);
  }

  /** For JSON, a map for each row. */
  public List<Map<String, Object>> toMaps() {
    return verdicts.stream().map(verdict -> verdict.toMap(other, verdicts)).toList();
  }

  /** Names of the rows that miss their goals. */
  public List<String> missed() {
    return verdicts.stream()
        .filter(verdict -> !verdict.holds(verdicts).orElse(true))
        .map(verdict -> verdict.row().name())
        .toList();
  }

  private static String ratio(Verdict verdict) {
    String ratio = ResultTable.cell(" %s %.2f", verdict.row().name(), verdict.ratio());
    return verdict.rounds().size() > 1 ? ratio + " (" + verdict.interval() + ")" : ratio;
  }

  /** The ratios that count in one line, and how many goals hold. */
  public String sentence() {
    StringBuilder sentence = new StringBuilder("CPU per operation against " + other + ":");
    for (Verdict verdict : verdicts) {
      if (verdict.row().isTimed()) {
        sentence.append(ratio(verdict));
      }
    }
    long goals = verdicts.stream().filter(verdict -> verdict.row().goal().isPresent()).count();
    long held = goals - missed().size();
    return sentence.append("; " + held + " of " + goals + " goals hold").toString();
  }
}
