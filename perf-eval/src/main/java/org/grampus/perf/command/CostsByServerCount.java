package org.grampus.perf.command;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.grampus.perf.result.ResultTable;
import org.grampus.perf.result.Run;

/**
 * Processor time of all region servers for an operation, by work and by their number, in µs. It
 * must not grow with their number.
 */
record CostsByServerCount(Map<String, SortedMap<Integer, Double>> micros) {
  /** The figure of a run that says how many region servers there were. */
  static final String SERVERS = "regionServers";

  private static final double CPU_RATIO_MAX = 1.15;
  private static final double MICROS = 1e6;

  /** Of runs; several of one work on as many servers are taken together. */
  static CostsByServerCount of(List<Run> runs) {
    Map<String, SortedMap<Integer, List<Run>>> byWork = new LinkedHashMap<>();
    for (Run run : runs) {
      int servers = ((Number) run.figures().get(SERVERS)).intValue();
      byWork
          .computeIfAbsent(run.workload(), work -> new TreeMap<>())
          .computeIfAbsent(servers, count -> new ArrayList<>())
          .add(run);
    }
    Map<String, SortedMap<Integer, Double>> micros = new LinkedHashMap<>();
    byWork.forEach(
        (work, byServers) -> {
          SortedMap<Integer, Double> costs = new TreeMap<>();
          byServers.forEach((servers, together) -> costs.put(servers, cost(together)));
          micros.put(work, costs);
        });
    return new CostsByServerCount(micros);
  }

  private static double cost(List<Run> runs) {
    double seconds = runs.stream().mapToDouble(Run::serverCpuSeconds).sum();
    return seconds * MICROS / runs.stream().mapToLong(Run::operations).sum();
  }

  /** Against the smallest cluster, the most of all others; 1 where there is no other. */
  private static double growth(SortedMap<Integer, Double> costs) {
    double first = costs.get(costs.firstKey());
    return costs.values().stream().mapToDouble(cost -> cost / first).max().orElse(1);
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
