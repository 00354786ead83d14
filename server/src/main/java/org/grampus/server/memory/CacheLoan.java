package org.grampus.server.memory;

import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * What clients take is lent by the block cache: it is told how much, in steps, up at once and down
 * when two steps are free. Any thread.
 */
final class CacheLoan {
  /** Each change makes the cache look at all its parts, and pages leave on the thread that asks. */
  private static final long STEP = 8L << 20;

  private final LongSupplier used;
  private volatile LongConsumer lender;
  private volatile long lent;

  CacheLoan(LongSupplier used) {
    this.used = used;
  }

  /** Tells this lender from now on; null is nobody. Returns when no call of the old one runs. */
  synchronized void from(LongConsumer lender) {
    this.lender = lender;
    lent = 0;
    follow();
  }

  /** What is used has changed. */
  void follow() {
    long now = used.getAsLong();
    if (lender != null && (now > lent || now + 2 * STEP <= lent)) {
      tell();
    }
  }

  private synchronized void tell() {
    long steps = (Math.max(0, used.getAsLong()) + STEP - 1) / STEP;
    if (lender != null && steps * STEP != lent) {
      lent = steps * STEP;
      lender.accept(lent);
    }
  }
}
