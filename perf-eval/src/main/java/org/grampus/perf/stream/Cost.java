package org.grampus.perf.stream;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * What a group of one variant costs, over all turns.
 *
 * @param groups that were written
 * @param groupsPerSecond while they were written
 * @param megabytesPerSecond the same in 10^6 bytes, each counted once
 * @param p50Micros median of the latencies
 * @param p99Micros their 99th percentile
 * @param clientMicrosPerGroup processor time of the writing process
 * @param dataNodeMicrosPerGroup that of all data nodes together
 * @param groupsPerSecondByTurn groups per second of each turn, in their order
 */
public record Cost(
    long groups,
    double groupsPerSecond,
    double megabytesPerSecond,
    double p50Micros,
    double p99Micros,
    double clientMicrosPerGroup,
    double dataNodeMicrosPerGroup,
    List<Double> groupsPerSecondByTurn) {
  private static final double NANOS_PER_MICRO = 1e3;
  private static final double BYTES_PER_MEGABYTE = 1e6;

  /** Copies the list. */
  public Cost {
    groupsPerSecondByTurn = List.copyOf(groupsPerSecondByTurn);
  }

  /** Sums up the turns of one variant; there must be at least one. */
  public static Cost of(Variant variant, List<Turn> turns) {
    Histogram latencies = new Histogram(GroupWriter.DIGITS);
    turns.forEach(turn -> latencies.add(turn.latencies()));
    double groups = latencies.getTotalCount();
    double seconds = turns.stream().mapToLong(Turn::nanos).sum() / Turn.NANOS_PER_SECOND;
    return new Cost(
        latencies.getTotalCount(),
        groups / seconds,
        groups / seconds * variant.groupBytes() / BYTES_PER_MEGABYTE,
        latencies.getValueAtPercentile(50) / NANOS_PER_MICRO,
        latencies.getValueAtPercentile(99) / NANOS_PER_MICRO,
        turns.stream().mapToLong(turn -> turn.cpu().client()).sum() / groups,
        turns.stream().mapToLong(turn -> turn.cpu().dataNodes()).sum() / groups,
        turns.stream().map(Turn::groupsPerSecond).toList());
  }

  /** The figures of a result, by their names. */
  public Map<String, Object> figures() {
    Map<String, Object> figures = new LinkedHashMap<>();
    figures.put("groups", groups);
    figures.put("groupsPerSecond", groupsPerSecond);
    figures.put("megabytesPerSecond", megabytesPerSecond);
    figures.put("p50Micros", p50Micros);
    figures.put("p99Micros", p99Micros);
    figures.put("clientMicrosPerGroup", clientMicrosPerGroup);
    figures.put("dataNodeMicrosPerGroup", dataNodeMicrosPerGroup);
    figures.put("groupsPerSecondByTurn", groupsPerSecondByTurn);
    return figures;
  }
}
