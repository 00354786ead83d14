package org.grampus.perf.command;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.commons.math3.stat.StatUtils;
import org.grampus.perf.result.ResultTable;
import org.grampus.perf.result.Run;

/**
 * Processor time of all region servers for an operation, by work and by their number, in µs. It
 * must not grow with their number.
 */
record CostsByServerCount(Map<String, SortedMap<Integer, Double>> micros) {
  /** The figure of a run that says how many region servers there were. */
  static final String SERVERS = "regionServers";

  /** The figure of a run that says in which round it was. */
  static final String ROUND = "round";

  private static final double CPU_RATIO_MAX = 1.15;
  private static final double MICROS = 1e6;

  /** Of runs: what those of a round take together, and of the rounds the median. */
  static CostsByServerCount of(List<Run> runs) {
    Map<String, SortedMap<Integer, Double>> micros = new LinkedHashMap<>();
    for (Run run : runs) {
      micros.computeIfAbsent(run.workload(), work -> new TreeMap<>());
    }
    micros.forEach(
        (work, costs) -> {
          List<Run> its = runs.stream().filter(run -> run.workload().equals(work)).toList();
          by(SERVERS, its).forEach((servers, together) -> costs.put(servers, median(together)));
        });
    return new CostsByServerCount(micros);
  }

  private static Map<Integer, List<Run>> by(String figure, List<Run> runs) {
    return runs.stream()
        .collect(Collectors.groupingBy(run -> ((Number) run.figures().get(figure)).intValue()));
  }

  private static double median(List<Run> runs) {
    double[] costs =
        by(ROUND, runs).values().stream().mapToDouble(CostsByServerCount::cost).toArray();
    return StatUtils.percentile(costs, 50);
  }

  private static double cost(List<Run> runs) {
    double seconds = runs.stream().mapToDouble(Run::serverCpuSeconds).sum();
    return seconds * MICROS / runs.stream().mapToLong(Run::operations).sum();
  }

  /** Against the smallest cluster, the most of all others; 1 where there is no other. */
  private static double growth(SortedMap<Integer, Double> costs) {
    double first = costs.get(costs.firstKey());
    return costs.tailMap(costs.firstKey() + 1).values().stream()
        .mapToDouble(cost -> cost / first)
        .max()
        .orElse(1);
  }

  /** A line for each work. */
  ResultTable table() {
    SortedSet<Integer> counts = new TreeSet<>();
    micros.values().forEach(costs -> counts.addAll(costs.keySet()));
    ResultTable table =
        new ResultTable(
            Stream.of(
                    Stream.of("work"),
                    counts.stream().map(count -> "µs, " + count),
                    Stream.of("most / first"))
                .flatMap(columns -> columns)
                .toArray(String[]::new));
    micros.forEach(
        (work, costs) ->
            table.row(
                Stream.of(
                        Stream.of(work),
                        counts.stream().map(count -> cell(costs.get(count))),
                        Stream.of(cell(growth(costs))))
                    .flatMap(cells -> cells)
                    .toArray(String[]::new)));
    return table;
  }

  private static String cell(Double figure) {
    return figure == null ? "" : ResultTable.cell("%.2f", figure);
  }

  /** A sentence for each work whose cost grows. */
  List<String> grown() {
    List<String> sentences = new ArrayList<>();
    micros.forEach(
        (work, costs) -> {
          if (growth(costs) > CPU_RATIO_MAX) {
            sentences.add(
                ResultTable.cell(
                    "%s takes up to %.2f of the CPU of %d region servers; the limit is %.2f",
                    work, growth(costs), costs.firstKey(), CPU_RATIO_MAX));
          }
        });
    return sentences;
  }

  /** All of it in one line. */
  String sentence() {
    StringBuilder sentence = new StringBuilder("most CPU per operation against the first:");
    micros.forEach(
        (work, costs) -> sentence.append(ResultTable.cell(" %s %.2f", work, growth(costs))));
    return sentence.toString();
  }
}
