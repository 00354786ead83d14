package org.grampus.server.hadoop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.io.asyncfs.AsyncFSOutput;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** When a segment on too few data nodes is rolled. */
class LogReplicasTest {
  private final Configuration conf = new Configuration(false);
  private final WaitingThreads threads = new WaitingThreads("replicas");
  private final List<Integer> rolls = new ArrayList<>();
  private int checks;

  @AfterEach
  void stop() {
    threads.close();
  }

  private FanOutAppend segment(int replicas) {
    return segment(new IdleOutput(replicas));
  }

  private FanOutAppend segment(AsyncFSOutput out) {
    Duration hour = Duration.ofHours(1);
    FanOutAppend.Waits waits = new FanOutAppend.Waits(hour, hour, hour);
    return new FanOutAppend(new Path("/log"), out, () -> {}, threads, waits);
  }

  private List<Integer> rollsIn(LogReplicas logs, int count) {
    rolls.clear();
    for (int check = 0; check < count; check++) {
      checks++;
      logs.check(() -> rolls.add(checks));
    }
    return List.copyOf(rolls);
  }

  @Test
  void rollsThatDoNotHelpAreRareSoon() {
    conf.setInt("hbase.regionserver.hlog.lowreplication.rolllimit", 3);
    LogReplicas logs = new LogReplicas(conf);
    logs.add(segment(3), 3);
    assertEquals(List.of(), rollsIn(logs, 10));
    logs.add(segment(2), 3);
    assertEquals(2, logs.least());
    assertEquals(List.of(12, 14, 18, 26, 34), rollsIn(logs, 26));
  }

  @Test
  void aSegmentThatIsClosedOrGivenUpWantsNothing() throws Exception {
    LogReplicas logs = new LogReplicas(conf);
    FanOutAppend closed = segment(2);
    FanOutAppend abandoned = segment(1);
    logs.add(closed, 3);
    logs.add(abandoned, 3);
    assertEquals(List.of(2), rollsIn(logs, 3));
    closed.close();
    assertEquals(1, logs.least());
    abandoned.abandon();
    assertEquals(0, logs.least());
    assertEquals(List.of(), rollsIn(logs, 100));
    logs.add(segment(2), 3);
    assertEquals(List.of(105), rollsIn(logs, 3), "as at first");
  }

  @Test
  void aLimitBelow0IsNoDoublingOfPauses() {
    conf.setInt("hbase.regionserver.hlog.lowreplication.rolllimit", -60);
    LogReplicas logs = new LogReplicas(conf);
    logs.add(segment(2), 3);
    assertEquals(List.of(2, 3, 4, 5), rollsIn(logs, 5));
  }

  @Test
  void checksWithoutAPauseAreRefused() {
    conf.setLong("hbase.regionserver.hlog.check.lowreplication.interval", 0);
    assertThrows(IllegalArgumentException.class, () -> new LogReplicas(conf));
  }

  @Test
  void fewerMayBeTolerated() {
    conf.setInt("hbase.regionserver.hlog.tolerable.lowreplication", 2);
    LogReplicas logs = new LogReplicas(conf);
    logs.add(segment(2), 3);
    logs.add(segment(1), 1);
    assertEquals(List.of(), rollsIn(logs, 100));
    logs.add(segment(1), 3);
    assertEquals(List.of(102), rollsIn(logs, 2));
  }

  /** How rare rolls for want of replicas are by then plays no part. */
  @Test
  void aSegmentThatHasBrokenIsRolledAtOnce() {
    LogReplicas logs = new LogReplicas(conf);
    logs.add(segment(2), 3);
    assertEquals(List.of(2, 4, 8, 16), rollsIn(logs, 20));
    AtomicBoolean broken = new AtomicBoolean();
    FanOutAppend breaks =
        segment(
            new IdleOutput(3) {
              @Override
              public boolean isBroken() {
                return broken.get();
              }
            });
    logs.add(breaks, 3);
    assertEquals(2, logs.least());
    assertEquals(List.of(), rollsIn(logs, 5));
    broken.set(true);
    assertEquals(0, logs.least());
    assertEquals(List.of(26, 27), rollsIn(logs, 2), "until it is");
    breaks.abandon();
    assertEquals(List.of(), rollsIn(logs, 5));
    assertEquals(List.of(34), rollsIn(logs, 2), "the other one, when its turn comes");
  }

  @Test
  void aRollThatIsUnderWayIsInterruptedAtTheStop() throws Exception {
    conf.setLong("hbase.regionserver.hlog.check.lowreplication.interval", 1);
    LogReplicas logs = new LogReplicas(conf);
    logs.add(segment(2), 3);
    CompletableFuture<Thread> begun = new CompletableFuture<>();
    CountDownLatch interrupted = new CountDownLatch(1);
    logs.start(
        () -> {
          begun.complete(Thread.currentThread());
          try {
            new CountDownLatch(1).await();
          } catch (InterruptedException e) {
            interrupted.countDown();
            throw new IllegalStateException(e);
          }
        });
    Thread thread = begun.get(30, TimeUnit.SECONDS);
    logs.stop();
    assertTrue(interrupted.await(30, TimeUnit.SECONDS), "the roll goes on");
    thread.join(TimeUnit.SECONDS.toMillis(30));
    assertFalse(thread.isAlive());
  }

  @Test
  void aRollThatFailsIsNotTheLast() {
    LogReplicas logs = new LogReplicas(conf);
    logs.add(segment(2), 3);
    for (int check = 0; check < 4; check++) {
      logs.check(
          () -> {
            rolls.add(1);
            throw new IllegalStateException("no name node");
          });
    }
    assertEquals(2, rolls.size());
  }
}
