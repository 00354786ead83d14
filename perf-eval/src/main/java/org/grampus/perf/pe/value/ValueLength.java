package org.grampus.perf.pe.value;

import java.util.Arrays;
import java.util.SplittableRandom;

/** How long values are, in bytes. For any thread. */
@FunctionalInterface
public interface ValueLength {
  /** The most that a value may have: what HBase's servers take with their defaults. */
  int MAX = 10 << 20;

  /** The exponent of Zipf's law in HBase's class. */
  double ZIPF_EXPONENT = 1.2;

  /** Draws a length. */
  int draw(SplittableRandom numbers);

  /** All the same. */
  static ValueLength fixed(int length) {
    return numbers -> length;
  }

  /** Any from 0 below a bound, all equally likely. */
  static ValueLength uniform(int bound) {
    return numbers -> numbers.nextInt(bound);
  }

  /**
   * Any from 1 below a bound, by Zipf's law with the exponent 1.2: most are short.
   *
   * @param bound above 1; takes eight bytes of memory for each
   */
  static ValueLength zipf(int bound) {
    double[] sums = new double[bound - 1];
    double sum = 0;
    for (int rank = 1; rank < bound; rank++) {
      sum += Math.pow(rank, -ZIPF_EXPONENT);
      sums[rank - 1] = sum;
    }
    double all = sum;
    return numbers -> {
      int place = Arrays.binarySearch(sums, numbers.nextDouble() * all);
      return Math.min(bound - 1, place < 0 ? -place : place + 1);
    };
  }
}
