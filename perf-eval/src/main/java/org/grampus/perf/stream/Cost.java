package org.grampus.perf.stream;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * What a group costs on one way, over all turns.
 *
 * @param groups that were written
 * @param groupsPerSecond while they were written
 * @param megabytesPerSecond the same in 10^6 bytes, each counted once
 * @param p50Micros median of the latencies
 * @param p99Micros their 99th percentile
 * @param clientMicros processor time of the writing process for a group
 * @param dataNodeMicros that of all data nodes together
 * @param ofTurns groups per second of each turn, in their order
 */
public record Cost(
    long groups,
    double groupsPerSecond,
    double megabytesPerSecond,
    double p50Micros,
    double p99Micros,
    double clientMicros,
    double dataNodeMicros,
    List<Double> ofTurns) {
  private static final double MICRO = 1e3;

  /** Copies the list. */
  public Cost {
    ofTurns = List.copyOf(ofTurns);
  }

  /** Of turns, of which there is at least one. */
  public static Cost of(Way way, List<Turn> turns) {
    Histogram latencies = new Histogram(GroupWriter.DIGITS);
    turns.forEach(turn -> latencies.add(turn.latencies()));
    double groups = latencies.getTotalCount();
    double seconds = turns.stream().mapToLong(Turn::nanos).sum() / 1e9;
    return new Cost(
        latencies.getTotalCount(),
        groups / seconds,
        groups / seconds * way.groupBytes() / 1e6,
        latencies.getValueAtPercentile(50) / MICRO,
        latencies.getValueAtPercentile(99) / MICRO,
        turns.stream().mapToLong(turn -> turn.cpu().client()).sum() / groups,
        turns.stream().mapToLong(turn -> turn.cpu().dataNodes()).sum() / groups,
        turns.stream().map(Turn::groupsPerSecond).toList());
  }

  /** For a result. */
  public Map<String, Object> figures() {
    Map<String, Object> figures = new LinkedHashMap<>();
    figures.put("groups", groups);
    figures.put("groupsPerSecond", groupsPerSecond);
    figures.put("megabytesPerSecond", megabytesPerSecond);
    figures.put("p50Micros", p50Micros);
    figures.put("p99Micros", p99Micros);
    figures.put("clientMicrosPerGroup", clientMicros);
    figures.put("dataNodeMicrosPerGroup", dataNodeMicros);
    figures.put("groupsPerSecondOfRounds", ofTurns);
    return figures;
  }
}
