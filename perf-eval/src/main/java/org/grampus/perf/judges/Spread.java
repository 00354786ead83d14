package org.grampus.perf.judges;

import java.util.List;

/**
 * How many regions each server has.
 *
 * @param regions by server
 */
record Spread(List<Integer> regions) {
  /**
   * A server has at least this part of what each would have; HBase's balancer leaves it at that.
   */
  private static final double PART_MIN = 0.5;

  /** Copies the list. */
  Spread {
    regions = List.copyOf(regions);
  }

  /** Whether no server has far less or far more than the others. */
  boolean isEven() {
    double mean = regions.stream().mapToInt(Integer::intValue).average().orElse(0);
    return mean > 0
        && regions.stream()
            .allMatch(count -> count >= PART_MIN * mean && count <= (2 - PART_MIN) * mean);
  }

  @Override
  public String toString() {
    return regions.toString();
  }
}
