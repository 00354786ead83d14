package org.grampus.server.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import org.grampus.server.service.Operation;
import org.junit.jupiter.api.Test;

class OperationBatchTest {
  private static final int THREADS = 4;
  private static final int OPERATIONS = 100 * OperationBatch.HELD_MAX + 1;

  @Test
  void aBatchIsCountedWhenItIsFullOrHandedOver() {
    List<Long> counted = new ArrayList<>();
    OperationBatch batch =
        new OperationBatch((operation, table, millis, scanned) -> counted.add(scanned));
    List<Long> added = new ArrayList<>();
    for (long i = 0; i <= OperationBatch.HELD_MAX; i++) {
      batch.add(Operation.GET, null, 0, i);
      added.add(i);
    }
    assertEquals(added.subList(0, OperationBatch.HELD_MAX), counted);
    batch.handOver();
    assertEquals(added, counted);
    batch.handOver();
    assertEquals(added, counted, "once each");
  }

  @Test
  void everyOperationOfEveryThreadIsCountedOnce() throws InterruptedException {
    LongAdder operations = new LongAdder();
    LongAdder bytes = new LongAdder();
    Stripes<OperationBatch> batches =
        new Stripes<>(
            () ->
                new OperationBatch(
                    (operation, table, millis, scanned) -> {
                      operations.increment();
                      bytes.add(scanned);
                    }));
    AtomicBoolean over = new AtomicBoolean();
    Thread handingOver =
        new Thread(
            () -> {
              while (!over.get()) {
                batches.forEach(OperationBatch::handOver);
              }
            });
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      threads.add(
          new Thread(
              () -> {
                for (int each = 0; each < OPERATIONS; each++) {
                  batches.mine().add(Operation.PUT, null, 0, each);
                }
              }));
    }
    handingOver.start();
    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      thread.join();
    }
    over.set(true);
    handingOver.join();
    batches.forEach(OperationBatch::handOver);
    assertEquals((long) THREADS * OPERATIONS, operations.sum());
    assertEquals((long) THREADS * OPERATIONS * (OPERATIONS - 1) / 2, bytes.sum());
  }
}
