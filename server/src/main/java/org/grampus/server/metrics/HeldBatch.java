package org.grampus.server.metrics;

import java.util.concurrent.locks.ReentrantLock;

/**
 * Values that HBase's histograms and counters do not have yet. A value costs a histogram five
 * atomic updates; those of one call after the other are slow, since the work between them has taken
 * the histograms out of the processor's caches. Any thread; none that adds waits for another.
 */
abstract class HeldBatch {
  static final int HELD_MAX = 64;

  /** No slot: another thread is here. */
  static final int BUSY = -1;

  private final ReentrantLock lock = new ReentrantLock();
  private int held;

  /**
   * Begins to add a value. A caller that gets a slot holds the lock: it puts its value there and
   * calls {@link #endAdd}. While another thread holds the lock the value is counted at once: that
   * thread may be one of low priority, and this one an event loop.
   *
   * @return below {@link #HELD_MAX}, or {@link #BUSY}: then the lock is not held
   */
  final int beginAdd() {
    return lock.tryLock() ? held : BUSY;
  }

  /**
   * Ends what {@link #beginAdd} has begun, drains where there is no room for another value, and
   * gives the lock back.
   */
  final void endAdd() {
    try {
      held++;
      if (held == HELD_MAX) {
        drain();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Hands over all values. For threads that may wait. */
  final void handOver() {
    lock.lock();
    try {
      drain();
    } finally {
      lock.unlock();
    }
  }

  private void drain() {
    int drained = held;
    held = 0;
    drain(drained);
  }

  /** Hands over the values of the first slots. Under the lock. */
  abstract void drain(int slots);
}
