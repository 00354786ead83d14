package org.grampus.perf.compare;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import org.grampus.perf.result.Run;

/**
 * What came of all rows.
 *
 * @param rows those of both servers that were measured, in the order of the table
 * @param echo what came of the echo, if it was measured
 */
record Verdicts(List<Verdict> rows, Optional<Summary> echo) {
  Verdicts {
    rows = List.copyOf(rows);
  }

  /** Of runs that count; rows without one are left out. */
  static Verdicts of(List<Row> rows, List<Run> runs) {
    List<Verdict> verdicts = new ArrayList<>();
    for (Row row : rows) {
      List<Run> ofRow = runsOf(row.name(), runs);
      if (row.hasServers() && !ofRow.isEmpty()) {
        verdicts.add(Verdict.of(row, byRound(ofRow)));
      }
    }
    List<Run> echoes = runsOf(Echo.NAME, runs);
    return new Verdicts(
        verdicts, echoes.isEmpty() ? Optional.empty() : Optional.of(Summary.of(echoes)));
  }

  private static List<Run> runsOf(String row, List<Run> runs) {
    return runs.stream().filter(run -> run.workload().equals(row)).toList();
  }

  private static List<Pairs> byRound(List<Run> runs) {
    Map<Object, Pairs> rounds = new LinkedHashMap<>();
    for (Run run : runs) {
      Object number = run.figures().get(Comparison.ROUND);
      rounds.computeIfAbsent(number, first -> new Pairs()).add(run);
    }
    return List.copyOf(rounds.values());
  }

  /** Whether a row reaches its goal; nothing where there is none, or it cannot be judged. */
  Optional<Boolean> holds(Verdict verdict) {
    return verdict.row().goal().flatMap(goal -> goal.judge(verdict, this));
  }

  /** Processor time of the echo's process for a call, in µs; NaN without an echo. */
  double echoMicros() {
    return echo.map(Summary::serverMicros).orElse(Double.NaN);
  }

  /** A figure of Grampus in the row of a name; NaN where it was not measured. */
  double grampus(String name, ToDoubleFunction<Summary> figure) {
    return rows.stream()
        .filter(verdict -> verdict.row().name().equals(name))
        .mapToDouble(verdict -> figure.applyAsDouble(verdict.grampus()))
        .findFirst()
        .orElse(Double.NaN);
  }

  /** The highest throughput of Grampus in the rows of these names. */
  double bestPerSecond(Set<String> names) {
    return rows.stream()
        .filter(verdict -> names.contains(verdict.row().name()))
        .mapToDouble(verdict -> verdict.grampus().operationsPerSecond())
        .max()
        .orElse(0);
  }

  /** For JSON, a map for each row, that of the echo first. */
  List<Map<String, Object>> toMaps(String other) {
    List<Map<String, Object>> maps = new ArrayList<>();
    echo.ifPresent(
        summary -> {
          Map<String, Object> map = new LinkedHashMap<>();
          map.put("row", Echo.NAME);
          map.put(Echo.NAME, summary.toMap());
          maps.add(map);
        });
    rows.forEach(verdict -> maps.add(verdict.toMap(other, this)));
    return maps;
  }
}
