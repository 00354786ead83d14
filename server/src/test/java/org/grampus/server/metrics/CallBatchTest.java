package org.grampus.server.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import org.apache.hadoop.hbase.ipc.MetricsHBaseServerSource;
import org.junit.jupiter.api.Test;

class CallBatchTest {
  /** What is added to a call's number for each method of the source. */
  private static final Map<String, Long> ABOVE =
      Map.of(
          "dequeuedCall", 0L,
          "processedCall", 1000L,
          "queuedAndProcessedCall", 2000L,
          "receivedRequest", 3000L,
          "receivedBytes", 3000L,
          "sentResponse", 4000L,
          "sentBytes", 4000L);

  /** What each method of the source was given, in its order. */
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
    ABOVE.forEach(
        (method, above) ->
            expected.put(method, Arrays.stream(calls).mapToObj(call -> above + call).toList()));
    return expected;
  }

  @Test
  void eachValueGoesToItsHistogramOnce() {
    add(1);
    add(2);
    assertEquals(Map.of(), given, "not full");
    batch.handOver();
    assertEquals(of(1, 2), given);
    batch.handOver();
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

  /** The thread that hands over is stopped in the middle, with the batch. */
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
    Thread handingOver = new Thread(batch::handOver);
    handingOver.start();
    within.await();
    add(2);
    assertEquals(of(2), given);
    over.countDown();
    handingOver.join();
    assertEquals(of(2, 1), given);
  }
}
