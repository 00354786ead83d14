package org.grampus.perf.pe.key;

import org.grampus.perf.pe.chance.Chance;

/** Which row is the n-th of a test. For any thread. */
@FunctionalInterface
public interface RowOrder {
  /** The row's number. */
  long row(long index);

  /** Upwards. */
  static RowOrder sequential() {
    return index -> index;
  }

  /**
   * In an order by chance, each once; again from the beginning after the last.
   *
   * @param rows above 0
   */
  static RowOrder permuted(long rows, Chance chance) {
    Permutation permutation = new Permutation(rows, chance);
    return index -> permutation.at(index % rows);
  }

  /**
   * Each by chance, as HBase's class has it: some more than once, and after as many as there are a
   * bit more than a third never (HBASE-5402).
   *
   * @param rows above 0
   */
  static RowOrder drawn(long rows, Chance chance) {
    return index -> chance.below(rows, index);
  }
}
