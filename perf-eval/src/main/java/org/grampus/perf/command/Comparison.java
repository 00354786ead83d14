package org.grampus.perf.command;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.apache.commons.math3.distribution.TDistribution;
import org.apache.commons.math3.stat.descriptive.SummaryStatistics;
import org.grampus.perf.result.ResultTable;
import org.grampus.perf.result.Run;

/** Runs of the same workloads on both servers, side by side. */
final class Comparison {
  private static final double CONFIDENCE = 0.95;

  /** Runs of one workload; the n-th of both servers stand beside each other. */
  private record Pairs(List<Run> grampus, List<Run> other) {
    Pairs() {
      this(new ArrayList<>(), new ArrayList<>());
    }

    void add(Run run) {
      (run.server().equals("grampus") ? grampus : other).add(run);
    }

    double ratio() {
      return sum(grampus, Run::serverMicrosPerOperation)
          / sum(other, Run::serverMicrosPerOperation);
    }

    SummaryStatistics ratios() {
      SummaryStatistics ratios = new SummaryStatistics();
      for (int i = 0; i < grampus.size(); i++) {
        ratios.addValue(
            grampus.get(i).serverMicrosPerOperation() / other.get(i).serverMicrosPerOperation());
      }
      return ratios;
    }
  }

  /** All runs of one workload, and those of each round. */
  private record Workload(Pairs all, List<Pairs> rounds) {
    Workload() {
      this(new Pairs(), new ArrayList<>());
    }

    /**
     * The interval in which the mean ratio of many rounds lies, with a confidence of 95 %:
     * Student's t distribution over the logarithms of these rounds' ratios. Empty for a single
     * round, which says nothing about another.
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
  }

  private final String other;
  private final Map<String, Workload> workloads = new LinkedHashMap<>();

  /**
   * Of as many runs of each workload on either server.
   *
   * @param other what the server is called that Grampus is compared with
   * @param rounds the runs of each round of fresh servers, of the same workloads
   */
  Comparison(String other, List<List<Run>> rounds) {
    this.other = other;
    rounds.forEach(this::add);
  }

  private void add(List<Run> round) {
    Map<String, Pairs> ofRound = new LinkedHashMap<>();
    for (Run run : round) {
      workloads.computeIfAbsent(run.workload(), name -> new Workload()).all().add(run);
      ofRound.computeIfAbsent(run.workload(), name -> new Pairs()).add(run);
    }
    ofRound.forEach((name, pairs) -> workloads.get(name).rounds().add(pairs));
  }

  private static double sum(List<Run> runs, ToDoubleFunction<Run> figure) {
    return runs.stream().mapToDouble(figure).sum();
  }

  private static double mean(List<Run> runs, ToDoubleFunction<Run> figure) {
    return sum(runs, figure) / runs.size();
  }

  private static String range(double from, double to) {
    return ResultTable.cell("%.2f - %.2f", from, to);
  }

  /** Averages, ratios, and the seconds of processor time that they rest on. */
  ResultTable table() {
    ResultTable table =
        new ResultTable(
            "workload",
            "rounds",
            "runs",
            "Grampus µs",
            other + " µs",
            "ratio",
            "ratio by pair",
            "95 % by round",
            "Grampus op/s",
            other + " op/s",
            "Grampus CPU s",
            other + " CPU s");
    workloads.forEach(
        (name, workload) -> {
          Pairs all = workload.all();
          SummaryStatistics ratios = all.ratios();
          table.row(
              name,
              ResultTable.cell("%d", workload.rounds().size()),
              ResultTable.cell("%d", all.grampus().size()),
              ResultTable.cell("%.2f", mean(all.grampus(), Run::serverMicrosPerOperation)),
              ResultTable.cell("%.2f", mean(all.other(), Run::serverMicrosPerOperation)),
              ResultTable.cell("%.2f", all.ratio()),
              range(ratios.getMin(), ratios.getMax()),
              workload.interval(),
              ResultTable.cell("%.0f", mean(all.grampus(), Run::rowsPerSecond)),
              ResultTable.cell("%.0f", mean(all.other(), Run::rowsPerSecond)),
              ResultTable.cell("%.1f", sum(all.grampus(), Run::serverCpuSeconds)),
              ResultTable.cell("%.1f", sum(all.other(), Run::serverCpuSeconds)));
        });
    return table;
  }

  /** The ratios in one line. */
  String sentence() {
    StringBuilder sentence = new StringBuilder("CPU per operation against " + other + ":");
    workloads.forEach(
        (name, workload) -> {
          sentence.append(ResultTable.cell(" %s %.2f", name, workload.all().ratio()));
          if (workload.rounds().size() > 1) {
            sentence.append(" (" + workload.interval() + ")");
          }
        });
    return sentence.toString();
  }
}
