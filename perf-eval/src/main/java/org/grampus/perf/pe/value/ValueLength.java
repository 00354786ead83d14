package org.grampus.perf.pe.value;

import java.util.SplittableRandom;

/** How long values are, in bytes. For any thread. */
@FunctionalInterface
public interface ValueLength {
  /** The most that a value may have: what HBase's servers take with their defaults. */
  int MAX = 10 << 20;

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
   * @param bound above 1; takes eight bytes of memory for each, once in a process
   */
  static ValueLength zipf(int bound) {
    return ZipfLength.of(bound);
  }
}
