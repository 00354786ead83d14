package org.grampus.compat.suite.snapshot;

import java.util.concurrent.atomic.AtomicLong;

/**
 * What one writer has sent and what was acknowledged to it. It writes the numbers 1, 2, 3, …, the
 * number n into row n modulo the number of rows, each before the next is sent.
 */
final class Ledger {
  private final int rows;
  private final AtomicLong sent = new AtomicLong();
  private final AtomicLong acknowledged = new AtomicLong();

  Ledger(int rows) {
    this.rows = rows;
  }

  /** The next number, which counts as sent from now on. */
  long send() {
    return sent.incrementAndGet();
  }

  void acknowledge(long number) {
    acknowledged.set(number);
  }

  int rowOf(long number) {
    return (int) (number % rows);
  }

  /** The writer's state as of now. */
  Mark acknowledged() {
    return new Mark(rows, acknowledged.get());
  }

  /** The same of what was sent. */
  Mark sent() {
    return new Mark(rows, sent.get());
  }

  /** The writer's state at one moment. */
  record Mark(int rows, long number) {
    /** The highest number of a row, 0 before its first. */
    long of(int row) {
      long back = Math.floorMod(number - row, (long) rows);
      return Math.max(0, number - back);
    }
  }
}
