package org.grampus.server.memory;

import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What clients take outside the heap is lent by the block cache. The cache is told the sum in whole
 * steps: a larger one at once, a smaller one when use has been lower for a minute. Any thread.
 */
final class CacheLoan {
  private static final Logger LOG = LoggerFactory.getLogger(CacheLoan.class);

  /** Each change makes the cache look at all its shards; pages leave on the calling thread. */
  private static final long STEP_BYTES = 8L << 20;

  /**
   * With each change of its capacity the cache forgets some of the pages that it has seen lately
   * (quick_cache rounds their number down), so a use that swings must not make it swing.
   */
  private static final long LOW_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final LongSupplier used;
  private final LongSupplier nanos;
  private volatile LongConsumer lender;
  private volatile long lent;

  /** The most that was used in the present span of {@link #LOW_NANOS}, and when that began. */
  private volatile long lately;

  private volatile long since;

  /**
   * A loan without a lender.
   *
   * @param used bytes in use
   * @param nanos a monotonic clock
   */
  CacheLoan(LongSupplier used, LongSupplier nanos) {
    this.used = used;
    this.nanos = nanos;
  }

  /**
   * Tells this lender from now on, none if null. When this returns, no call of the one before runs.
   */
  synchronized void setLender(LongConsumer lender) {
    this.lender = lender;
    lent = 0;
    since = nanos.getAsLong();
    usedChanged();
  }

  /** Runs at every change of what is used, so it takes the lock only to tell something. */
  void usedChanged() {
    long now = used.getAsLong();
    if (now > lately) {
      lately = now;
    }
    if (lender != null && (now > lent || isLow(now))) {
      tell();
    }
  }

  private boolean isLow(long now) {
    return now + 2 * STEP_BYTES <= lent && nanos.getAsLong() - since >= LOW_NANOS;
  }

  /** Repeated until it fits what is used, which changes meanwhile without this lock. */
  private synchronized void tell() {
    for (long now = used.getAsLong(); now > lent || isLow(now); now = used.getAsLong()) {
      if (now <= lent) {
        // The end of a span. Its highest use is what the next one begins with.
        since = nanos.getAsLong();
        now = Math.max(now, lately);
        lately = used.getAsLong();
      }
      lend((now + STEP_BYTES - 1) / STEP_BYTES * STEP_BYTES);
    }
  }

  private void lend(long loan) {
    if (loan == lent) {
      return;
    }
    lent = loan;
    try {
      if (lender != null) {
        lender.accept(loan);
      }
    } catch (RuntimeException e) {
      // Those that reserve and give back memory must go on: their counts would be wrong for ever.
      LOG.error("the block cache cannot lend {} bytes, and is not asked again", loan, e);
      lender = null;
    }
  }
}
