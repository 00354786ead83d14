package org.grampus.perf.command;

import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import org.grampus.perf.result.ResultTable;
import org.grampus.perf.result.Run;

/**
 * What runs of HBase's PerformanceEvaluation and of ours say of one test on one server.
 *
 * @param server its name
 * @param work the test
 * @param asked rows that every run was asked for
 * @param rows that runs have said, each number once
 * @param stockRate rows of HBase's class for each second of its runs
 * @param ownRate the same of ours
 */
record Agreement(
    String server,
    AgreedWork work,
    long asked,
    SortedSet<Long> rows,
    double stockRate,
    double ownRate) {
  private static final double RATIO_MIN = 0.9;
  private static final double RATIO_MAX = 1.1;

  /** The agreement of the runs of each class, of which there is at least one. */
  static Agreement of(String server, AgreedWork work, long asked, Map<PeClass, List<Run>> runs) {
    SortedSet<Long> rows = new TreeSet<>();
    Map<PeClass, Double> rates = new EnumMap<>(PeClass.class);
    runs.forEach(
        (program, its) -> {
          its.forEach(run -> rows.add(run.operations()));
          rates.put(program, Run.rowsPerSecondOf(its));
        });
    return new Agreement(
        server, work, asked, rows, rates.get(PeClass.STOCK), rates.get(PeClass.OURS));
  }

  /** Our throughput by HBase's. */
  double ratio() {
    return ownRate / stockRate;
  }

  /** Whether all runs have done what they were asked for. */
  boolean sameRows() {
    return rows.equals(new TreeSet<>(List.of(asked)));
  }

  /** Whether the throughputs are as near to each other as those of two runs of one class. */
  boolean sameRate() {
    return ratio() >= RATIO_MIN && ratio() <= RATIO_MAX;
  }

  /**
   * What is wrong.
   *
   * @param withRate whether another throughput is wrong
   */
  Optional<String> fault(boolean withRate) {
    if (!sameRows()) {
      return Optional.of(
          work + " on " + server + ": " + asked + " rows were asked for, runs say " + rows);
    }
    return withRate && !sameRate()
        ? Optional.of(
            ResultTable.cell(
                "%s on %s: ours is at %.2f of HBase's throughput", work, server, ratio()))
        : Optional.empty();
  }

  /** For the result. */
  Map<String, Object> toMap() {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("server", server);
    map.put("test", work.toString());
    map.put("rowsAsked", asked);
    map.put("rows", rows);
    map.put("stockRowsPerSecond", stockRate);
    map.put("ownRowsPerSecond", ownRate);
    map.put("ratio", ratio());
    map.put("sameRows", sameRows());
    map.put("sameThroughput", sameRate());
    return map;
  }
}
