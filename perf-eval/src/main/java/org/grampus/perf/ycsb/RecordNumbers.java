package org.grampus.perf.ycsb;

import java.io.IOException;

/**
 * Which numbers records have: from 0 on, without a gap, since each run inserts behind those that
 * were there. For one thread.
 */
@FunctionalInterface
interface RecordNumbers {
  /** Whether there is a record of a number. */
  boolean has(long number) throws IOException;

  /**
   * The first number without a record, which a few questions find.
   *
   * @param least records that there are at least
   */
  default long end(long least) throws IOException {
    long step = 1;
    while (has(least + step - 1)) {
      step *= 2;
    }
    long there = least + step / 2; // all below it have one
    long missing = least + step - 1;
    while (there < missing) {
      long middle = there + (missing - there) / 2;
      if (has(middle)) {
        there = middle + 1;
      } else {
        missing = middle;
      }
    }
    return there;
  }
}
