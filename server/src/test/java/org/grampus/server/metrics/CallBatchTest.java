package org.grampus.server.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import org.apache.hadoop.hbase.ipc.MetricsHBaseServerSource;
import org.junit.jupiter.api.Test;

class CallBatchTest {
  /** What each histogram was given, in its order. */
  private final Map<String, List<Long>> given = Collections.synchronizedMap(new TreeMap<>());

  private final List<Runnable> onFirst = new ArrayList<>();

  private final CallBatch batch =
      new CallBatch(
          (MetricsHBaseServerSource)
              Proxy.newProxyInstance(
                  getClass().getClassLoader(),
                  new Class<?>[] {MetricsHBaseServerSource.class},
                  (proxy, method, values) -> {
                    if (!onFirst.isEmpty()) {
                      onFirst.remove(0).run();
                    }
                    given
                        .computeIfAbsent(method.getName(), name -> new ArrayList<>())
                        .add(((Number) values[0]).longValue());
                    return null;
                  }));

  private void add(int call) {
    batch.add(call, 1000 + call, 2000 + call, 3000 + call, 4000 + call);
  }

  private static Map<String, List<Long>> of(int... calls) {
    Map<String, List<Long>> expected = new TreeMap<>();
    List<String> names =
        List.of(
            "dequeuedCall",
            "processedCall",
            "queuedAndProcessedCall",
            "receivedRequest",
            "sentResponse");
    for (int i = 0; i < names.size(); i++) {
      List<Long> values = new ArrayList<>();
      for (int call : calls) {
        values.add(1000L * i + call);
      }
      expected.put(names.get(i), values);
    }
    return expected;
  }

  @Test
  void eachValueGoesToItsHistogramOnce() {
    add(1);
    add(2);
    assertEquals(Map.of(), given, "not full");
    batch.settle();
    assertEquals(of(1, 2), given);
    batch.settle();
    assertEquals(of(1, 2), given);
  }

  @Test
  void aFullBatchIsCounted() {
    int[] calls = new int[CallBatch.HELD_MAX];
    for (int i = 0; i < calls.length; i++) {
      calls[i] = i;
      add(i);
    }
    assertEquals(of(calls), given);
  }

  /** The settling thread is stopped in the middle, with the batch. */
  @Test
  void aCallThatFindsAnotherThreadThereIsCountedAtOnce() throws InterruptedException {
    CountDownLatch within = new CountDownLatch(1);
    CountDownLatch over = new CountDownLatch(1);
    add(1);
    onFirst.add(
        () -> {
          within.countDown();
          try {
            over.await();
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
        });
    Thread settler = new Thread(batch::settle);
    settler.start();
    within.await();
    add(2);
    assertEquals(of(2), given);
    over.countDown();
    settler.join();
    assertEquals(of(2, 1), given);
  }
}
