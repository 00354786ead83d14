package org.grampus.perf.compare;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.grampus.perf.result.ResultTable;
import org.grampus.perf.result.Run;

/** What came of the rows of all rounds, side by side. Immutable. */
public final class Comparison {
  /** The figure of a run that says in which round it was. */
  static final String ROUND = "round";

  private static final double BYTES_OF_MB = 1 << 20;

  private final String other;
  private final Verdicts verdicts;

  /**
   * Of runs that count.
   *
   * @param other what the server is called that Grampus is compared with
   * @param rows in the order of the tables; those without a run are left out
   * @param runs of all rounds, in each as many on either server
   */
  public Comparison(String other, List<Row> rows, List<Run> runs) {
    this.other = other;
    verdicts = Verdicts.of(rows, runs);
  }

  List<Verdict> verdicts() {
    return verdicts.rows();
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
            "echo µs",
            "goal",
            "holds");
    for (Verdict verdict : verdicts.rows()) {
      table.row(
          verdict.row().name(),
          verdict.row().what(),
          ResultTable.cell("%d", verdict.all().grampus().size()),
          ResultTable.cell("%.2f", verdict.grampus().serverMicros()),
          ResultTable.cell("%.2f", verdict.other().serverMicros()),
          verdict.row().isTimed() ? ResultTable.cell("%.3f", verdict.ratio()) : "",
          verdict.row().isTimed() ? verdict.ratioByPair() : "",
          verdict.row().isTimed() ? verdict.interval() : "",
          floor(verdict.row()),
          verdict.row().goal().map(Goal::text).orElse(""),
          verdicts.holds(verdict).map(holds -> holds ? "yes" : "no").orElse(""));
    }
    return table;
  }

  /** Of the echo, for a row whose goal compares with it. */
  private String floor(Row row) {
    boolean shown = row.goal().filter(goal -> goal.references().contains(Echo.NAME)).isPresent();
    return shown ? micros("%.2f", verdicts.echoMicros()) : "";
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
    verdicts.echo().ifPresent(echo -> figures(table, Echo.NAME, Echo.NAME, echo));
    for (Verdict verdict : verdicts.rows()) {
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
        micros("%.2f", summary.clientMicros()),
        ResultTable.cell("%.0f", summary.operationsPerSecond()),
        micros("%.0f", summary.p50Micros()),
        micros("%.0f", summary.p99Micros()),
        ResultTable.cell("%d", summary.errors()),
        ResultTable.cell("%d", summary.peakRssMb()),
        ResultTable.cell("%.1f", summary.diskBytes() / BYTES_OF_MB));
  }

  private static String micros(String format, double micros) {
    return Double.isNaN(micros) ? "" : ResultTable.cell(format, micros);
  }

  /** For JSON, a map for each row. */
  public List<Map<String, Object>> toMaps() {
    return verdicts.toMaps(other);
  }

  /** Names of the rows that miss their goals. */
  public List<String> missed() {
    return verdicts.rows().stream()
        .filter(verdict -> !verdicts.holds(verdict).orElse(true))
        .map(verdict -> verdict.row().name())
        .toList();
  }

  private static String ratio(Verdict verdict) {
    String ratio = ResultTable.cell(" %s %.2f", verdict.row().name(), verdict.ratio());
    return verdict.rounds().size() > 1 ? ratio + " (" + verdict.interval() + ")" : ratio;
  }

  /** The ratios that count in one line, and how many goals hold of those that are judged. */
  public String sentence() {
    StringBuilder sentence = new StringBuilder("CPU per operation against " + other + ":");
    for (Verdict verdict : verdicts.rows()) {
      if (verdict.row().isTimed()) {
        sentence.append(ratio(verdict));
      }
    }
    List<Boolean> judged =
        verdicts.rows().stream().map(verdicts::holds).flatMap(Optional::stream).toList();
    long held = judged.stream().filter(holds -> holds).count();
    return judged.isEmpty()
        ? sentence.toString()
        : sentence.append("; " + held + " of " + judged.size() + " goals hold").toString();
  }
}
