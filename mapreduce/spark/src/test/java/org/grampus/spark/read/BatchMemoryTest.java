package org.grampus.spark.read;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A batch's memory is not taken from a thread that reads it. */
class BatchMemoryTest {
  @Test
  void theReadingThreadFreesAtOnce() {
    AtomicInteger freed = new AtomicInteger();
    new BatchMemory(freed::incrementAndGet).free();
    assertEquals(1, freed.get());
  }

  @Test
  void anotherThreadLeavesItToTheLastReference() throws InterruptedException {
    CountDownLatch freed = new CountDownLatch(1);
    BatchMemory[] held = {new BatchMemory(freed::countDown)};
    Thread other = new Thread(held[0]::free);
    other.start();
    other.join();
    System.gc();
    assertEquals(1, freed.getCount(), "a column refers to it");
    other = null;
    held[0] = null;
    for (int i = 0; i < 600 && !freed.await(100, TimeUnit.MILLISECONDS); i++) {
      System.gc();
    }
    assertTrue(freed.await(0, TimeUnit.MILLISECONDS), "nothing refers to it");
  }
}
