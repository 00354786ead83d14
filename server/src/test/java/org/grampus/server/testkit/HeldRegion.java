package org.grampus.server.testkit;

import java.util.concurrent.CountDownLatch;
import org.apache.hbase.thirdparty.com.google.common.util.concurrent.Uninterruptibles;

/** A region without an engine, whose flush and close end when the test lets them. */
public final class HeldRegion extends DelegatingRegion {
  private final CountDownLatch closed = new CountDownLatch(1);
  private volatile CountDownLatch held = new CountDownLatch(0);

  /** One that holds nothing yet. */
  public HeldRegion() {
    super(null);
  }

  /** Flushes and closes that begin from now on wait. */
  public void hold() {
    held = new CountDownLatch(1);
  }

  /** They go on. */
  public void release() {
    held.countDown();
  }

  /** Is down once the region is closed. */
  public CountDownLatch closed() {
    return closed;
  }

  /** As in the engine, no interrupt ends it. */
  private void await() {
    Uninterruptibles.awaitUninterruptibly(held);
  }

  @Override
  public void flush() {
    await();
  }

  @Override
  public void close(boolean abort) {
    await();
    closed.countDown();
  }
}
