package org.grampus.server.memory;

import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * What clients take outside the heap is lent by the block cache. The cache is told the sum in whole
 * steps: a larger one at once, a smaller one when two steps are free. Any thread.
 */
final class CacheLoan {
  /**
   * Each change makes the cache look at all its shards, and the calling thread drops the pages that
   * have to leave.
   */
  private static final long STEP_BYTES = 8L << 20;

  private final LongSupplier used;
  private volatile LongConsumer lender;
  private volatile long lent;

  CacheLoan(LongSupplier used) {
    this.used = used;
  }

  /**
   * Tells this lender from now on, none if null. When this returns, no call of the one before runs.
   */
  synchronized void setLender(LongConsumer lender) {
    this.lender = lender;
    lent = 0;
    usedChanged();
  }

  /** Runs at every change of what is used, so it takes the lock only to tell something. */
  void usedChanged() {
    long now = used.getAsLong();
    if (lender != null && (now > lent || now + 2 * STEP_BYTES <= lent)) {
      tell();
    }
  }

  private synchronized void tell() {
    long steps = (Math.max(0, used.getAsLong()) + STEP_BYTES - 1) / STEP_BYTES;
    long loan = steps * STEP_BYTES;
    if (lender != null && loan != lent) {
      lent = loan;
      lender.accept(loan);
    }
  }
}
