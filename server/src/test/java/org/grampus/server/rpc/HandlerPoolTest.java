package org.grampus.server.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a pool does with its tasks: when they fail, when it is full and when it closes. */
class HandlerPoolTest {
  private final AtomicInteger abandoned = new AtomicInteger();

  private class Counted implements HandlerPool.Task {
    private final Object address;
    private final Runnable work;

    Counted(Runnable work) {
      this("one", work);
    }

    Counted(Object address, Runnable work) {
      this.address = address;
      this.work = work;
    }

    @Override
    public void run() {
      work.run();
    }

    @Override
    public void abandon() {
      abandoned.incrementAndGet();
    }

    @Override
    public Object address() {
      return address;
    }

    @Override
    public Object connection() {
      return address;
    }

    @Override
    public void took(long nanos) {
      assertTrue(nanos >= 0);
    }
  }

  @Test
  void runningTaskFinishesUninterruptedAndWaitingOnesAreAbandoned() throws Exception {
    HandlerPool pool = new HandlerPool("test", 1, 2);
    pool.start();
    CountDownLatch started = new CountDownLatch(1);
    CountDownLatch closing = new CountDownLatch(1);
    AtomicBoolean interrupted = new AtomicBoolean(true);
    assertTrue(
        pool.offer(
            new Counted(
                () -> {
                  started.countDown();
                  try {
                    closing.await();
                    interrupted.set(false);
                  } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                  }
                })));
    started.await();
    assertTrue(pool.offer(new Counted(() -> {})));
    assertTrue(pool.offer(new Counted(() -> {})));
    assertFalse(pool.offer(new Counted(() -> {})), "the queue is full");
    Thread closer = new Thread(pool::close);
    closer.start();
    while (abandoned.get() < 2) {
      Thread.onSpinWait();
    }
    assertFalse(pool.offer(new Counted(() -> {})), "the pool is closed");
    closing.countDown();
    closer.join();
    assertFalse(interrupted.get());
    assertEquals(2, abandoned.get());
    assertEquals(0, pool.active());
  }

  @Test
  void theEndOfTheQueueIsForAddressesThatHaveNothingThere() {
    HandlerPool pool = new HandlerPool("test", 1, 16); // not started: all wait
    for (int i = 0; i < 14; i++) {
      assertTrue(pool.offer(new Counted("flood", () -> {})));
    }
    assertFalse(pool.offer(new Counted("flood", () -> {})), "the rest is not for it");
    assertTrue(pool.offer(new Counted("one", () -> {})));
    assertFalse(pool.offer(new Counted("one", () -> {})), "nor for any that waits");
    assertTrue(pool.offer(new Counted("another", () -> {})));
    assertFalse(pool.offer(new Counted("a third", () -> {})), "the queue is full");
    pool.close();
    assertEquals(16, abandoned.get());
  }

  @Test
  @Timeout(60)
  void aRecordThatFailsCostsNoThreadAndNoCount() throws Exception {
    try (HandlerPool pool = new HandlerPool("test", 1, 4)) {
      pool.start();
      CountDownLatch after = new CountDownLatch(1);
      Counted failing =
          new Counted(() -> {}) {
            @Override
            public void took(long nanos) {
              throw new AssertionError("as the test wants");
            }
          };
      assertTrue(pool.offer(failing));
      assertTrue(pool.offer(new Counted(after::countDown)));
      after.await();
      while (pool.active() > 0) {
        Thread.onSpinWait();
      }
    }
  }

  @Test
  void failingTaskCostsNoThread() throws Exception {
    try (HandlerPool pool = new HandlerPool("test", 1, 4)) {
      pool.start();
      CountDownLatch after = new CountDownLatch(1);
      assertTrue(
          pool.offer(
              new Counted(
                  () -> {
                    throw new AssertionError("as the test wants");
                  })));
      assertTrue(pool.offer(new Counted(after::countDown)));
      after.await();
    }
  }
}
