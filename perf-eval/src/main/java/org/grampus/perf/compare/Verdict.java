package org.grampus.perf.compare;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.commons.math3.stat.descriptive.SummaryStatistics;
import org.grampus.perf.result.ResultTable;

/**
 * What came of a row.
 *
 * @param all its runs
 * @param rounds its runs of each round
 */
record Verdict(Row row, Pairs all, List<Pairs> rounds) {
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

  /** The least and the largest ratio of a pair. */
  String ratioByPair() {
    SummaryStatistics ratios = all.ratios();
    return ResultTable.cell("%.2f - %.2f", ratios.getMin(), ratios.getMax());
  }

  /** The interval of that ratio over the rounds; empty for a single one. */
  String interval() {
    return rounds.size() < 2 ? "" : RatioInterval.of(rounds, Pairs::ratio).toString();
  }

  /** For JSON. */
  Map<String, Object> toMap(String other, Verdicts verdicts) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("row", row.name());
    map.put("what", row.what());
    if (row.isTimed()) {
      map.put("ratio", ratio());
      map.put("rounds", rounds.stream().map(Pairs::ratio).toList());
    }
    row.goal().ifPresent(goal -> map.put("goal", goal.text()));
    verdicts.holds(this).ifPresent(holds -> map.put("holds", holds));
    map.put("grampus", grampus().toMap());
    map.put(other, other().toMap());
    return map;
  }
}
