package org.grampus.perf.pe.value;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** Lengths by Zipf's law. All clients of a process share one for each bound. Immutable. */
final class ZipfLength implements ValueLength {
  /** As in HBase's class. */
  private static final double EXPONENT = 1.2;

  /** A process measures with one bound, and tests with a few. */
  private static final ConcurrentMap<Integer, ZipfLength> BY_BOUND = new ConcurrentHashMap<>();

  /** How likely are lengths up to each, before they are divided by the last. */
  private final double[] sums;

  private ZipfLength(int bound) {
    sums = new double[bound - 1];
    double sum = 0;
    for (int rank = 1; rank < bound; rank++) {
      sum += Math.pow(rank, -EXPONENT);
      sums[rank - 1] = sum;
    }
  }

  static ZipfLength of(int bound) {
    return BY_BOUND.computeIfAbsent(bound, ZipfLength::new);
  }

  @Override
  public int draw(SplittableRandom numbers) {
    double all = sums[sums.length - 1];
    int place = Arrays.binarySearch(sums, numbers.nextDouble() * all);
    return Math.min(sums.length, place < 0 ? -place : place + 1);
  }
}
