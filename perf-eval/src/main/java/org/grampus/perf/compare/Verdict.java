package org.grampus.perf.compare;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.commons.math3.distribution.TDistribution;
import org.apache.commons.math3.stat.descriptive.SummaryStatistics;
import org.grampus.perf.result.ResultTable;
import org.grampus.perf.result.Run;

/**
 * What came of a row.
 *
 * @param all its runs
 * @param rounds its runs of each round
 */
record Verdict(Row row, Pairs all, List<Pairs> rounds) {
  private static final double CONFIDENCE = 0.95;

  /** Of the row's runs of each round. */
  static Verdict of(Row row, List<Pairs> rounds) {
    Pairs all = new Pairs();
    for (Pairs round : rounds) {
      round.grampus().forEach(all::add);
      round.other().forEach(all::add);
    }
    return new Verdict(row, all, List.copyOf(rounds));
  }

  Summary grampus() {
    return Summary.of(all.grampus());
  }

  Summary other() {
    return Summary.of(all.other());
  }

  /** Processor time of an operation, Grampus against the other server; counts where it is timed. */
  double ratio() {
    return all.ratio();
  }

  /** Whether the goal is reached beside what came of all rows; nothing where there is none. */
  Optional<Boolean> holds(List<Verdict> verdicts) {
    return row.goal().map(goal -> goal.condition().test(this, verdicts));
  }

  /** The least and the largest ratio of a pair. */
  String ratioByPair() {
    SummaryStatistics ratios = all.ratios();
    return range(ratios.getMin(), ratios.getMax());
  }

  /**
   * The interval in which the mean ratio of many rounds lies, with a confidence of 95 %: Student's
   * t distribution over the logarithms of these rounds' ratios. Empty for a single round, which
   * says nothing about another.
   */
  String interval() {
    if (rounds.size() < 2) {
      return "";
    }
    SummaryStatistics logarithms = new SummaryStatistics();
    rounds.forEach(round -> logarithms.addValue(Math.log(round.ratio())));
    double student =
        new TDistribution(rounds.size() - 1).inverseCumulativeProbability((1 + CONFIDENCE) / 2);
    double reach = student * logarithms.getStandardDeviation() / Math.sqrt(rounds.size());
    return range(Math.exp(logarithms.getMean() - reach), Math.exp(logarithms.getMean() + reach));
  }

  private static String range(double from, double to) {
    return ResultTable.cell("%.2f - %.2f", from, to);
  }

  /** For JSON. */
  Map<String, Object> toMap(String other, List<Verdict> verdicts) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("row", row.name());
    map.put("what", row.what());
    if (row.isTimed()) {
      map.put("ratio", ratio());
      map.put("rounds", rounds.stream().map(Pairs::ratio).toList());
    }
    row.goal().ifPresent(goal -> map.put("goal", goal.text()));
    holds(verdicts).ifPresent(holds -> map.put("holds", holds));
    map.put("grampus", figures(grampus()));
    map.put(other, figures(other()));
    return map;
  }

  /** JSON has no NaN. */
  private static Map<String, Object> figures(Summary summary) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("runs", summary.runs());
    map.put("operations", summary.operations());
    map.put("wallSeconds", summary.wallSeconds());
    map.put("serverCpuSeconds", summary.serverCpuSeconds());
    map.put("serverMicrosPerOperation", summary.serverMicros());
    map.put("clientMicrosPerOperation", summary.clientMicros());
    map.put("operationsPerSecond", summary.operationsPerSecond());
    if (!Double.isNaN(summary.p50Micros())) {
      map.put("p50Micros", summary.p50Micros());
      map.put("p99Micros", summary.p99Micros());
    }
    map.put("errors", summary.errors());
    map.put("peakRssMb", summary.peakRssMb());
    map.put("tableBytes", summary.diskBytes());
    return map;
  }

  /** The runs of all rounds, row by row. */
  static List<Verdict> of(List<Row> rows, List<Run> runs) {
    List<Verdict> verdicts = new ArrayList<>();
    for (Row row : rows) {
      Map<Object, Pairs> rounds = new LinkedHashMap<>();
      runs.stream()
          .filter(run -> run.workload().equals(row.name()))
          .forEach(
              run ->
                  rounds
                      .computeIfAbsent(run.figures().get(Comparison.ROUND), number -> new Pairs())
                      .add(run));
      if (!rounds.isEmpty()) {
        verdicts.add(of(row, List.copyOf(rounds.values())));
      }
    }
    return verdicts;
  }
}
