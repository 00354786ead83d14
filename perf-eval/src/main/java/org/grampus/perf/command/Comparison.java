package org.grampus.perf.command;

import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.grampus.perf.result.ResultTable;
import org.grampus.perf.result.Run;

/** Runs of the same workloads on both servers, side by side. */
final class Comparison {
  /** Runs of one workload; the n-th of both servers stand beside each other. */
  private record Pairs(String workload, List<Run> grampus, List<Run> other) {
    double ratio() {
      return sum(grampus, Run::serverMicrosPerOperation)
          / sum(other, Run::serverMicrosPerOperation);
    }

    DoubleSummaryStatistics ratios() {
      DoubleSummaryStatistics ratios = new DoubleSummaryStatistics();
      for (int i = 0; i < grampus.size(); i++) {
        ratios.accept(
            grampus.get(i).serverMicrosPerOperation() / other.get(i).serverMicrosPerOperation());
      }
      return ratios;
    }
  }

  private final String other;
  private final List<Pairs> workloads = new ArrayList<>();

  /**
   * Of as many runs of each workload on either server.
   *
   * @param other what the server is called that Grampus is compared with
   */
  Comparison(String other, List<Run> runs) {
    this.other = other;
    Map<String, Pairs> byName = new LinkedHashMap<>();
    for (Run run : runs) {
      Pairs pairs =
          byName.computeIfAbsent(
              run.workload(), name -> new Pairs(name, new ArrayList<>(), new ArrayList<>()));
      (run.server().equals("grampus") ? pairs.grampus() : pairs.other()).add(run);
    }
    workloads.addAll(byName.values());
  }

  private static double sum(List<Run> runs, ToDoubleFunction<Run> figure) {
    return runs.stream().mapToDouble(figure).sum();
  }

  private static double mean(List<Run> runs, ToDoubleFunction<Run> figure) {
    return sum(runs, figure) / runs.size();
  }

  /** Averages, ratios, and the seconds of processor time that they rest on. */
  ResultTable table() {
    ResultTable table =
        new ResultTable(
            "workload",
            "runs",
            "Grampus µs",
            other + " µs",
            "ratio",
            "ratio by pair",
            "Grampus op/s",
            other + " op/s",
            "Grampus CPU s",
            other + " CPU s");
    for (Pairs pairs : workloads) {
      DoubleSummaryStatistics ratios = pairs.ratios();
      table.row(
          pairs.workload(),
          ResultTable.cell("%d", pairs.grampus().size()),
          ResultTable.cell("%.2f", mean(pairs.grampus(), Run::serverMicrosPerOperation)),
          ResultTable.cell("%.2f", mean(pairs.other(), Run::serverMicrosPerOperation)),
          ResultTable.cell("%.2f", pairs.ratio()),
          ResultTable.cell("%.2f - %.2f", ratios.getMin(), ratios.getMax()),
          ResultTable.cell("%.0f", mean(pairs.grampus(), Run::rowsPerSecond)),
          ResultTable.cell("%.0f", mean(pairs.other(), Run::rowsPerSecond)),
          ResultTable.cell("%.1f", sum(pairs.grampus(), Run::serverCpuSeconds)),
          ResultTable.cell("%.1f", sum(pairs.other(), Run::serverCpuSeconds)));
    }
    return table;
  }

  /** The ratios in one line. */
  String sentence() {
    StringBuilder sentence = new StringBuilder("CPU per operation against " + other + ":");
    for (Pairs pairs : workloads) {
      sentence.append(ResultTable.cell(" %s %.2f", pairs.workload(), pairs.ratio()));
    }
    return sentence.toString();
  }
}
