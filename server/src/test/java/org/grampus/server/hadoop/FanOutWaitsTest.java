package org.grampus.server.hadoop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.io.asyncfs.AsyncFSOutput;
import org.apache.hadoop.hbase.util.CancelableProgressable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A stream of HBase's in which something is never done. */
class FanOutWaitsTest {
  private static final Duration SOON = Duration.ofMillis(100);
  private static final Duration NEVER = Duration.ofHours(1);

  private final WaitingThreads threads = new WaitingThreads("waits");
  private final CountDownLatch recovered = new CountDownLatch(1);
  private final CountDownLatch nameNode = new CountDownLatch(1);
  private final CountDownLatch released = new CountDownLatch(1);

  @AfterEach
  void stop() {
    nameNode.countDown();
    threads.close();
  }

  /** What a test needs of a stream. */
  private class Stuck extends IdleOutput {
    private final CompletableFuture<Long> flushed;
    private final boolean isBroken;

    Stuck(CompletableFuture<Long> flushed, boolean isBroken) {
      super(3);
      this.flushed = flushed;
      this.isBroken = isBroken;
    }

    @Override
    public CompletableFuture<Long> flush(boolean sync) {
      return flushed;
    }

    @Override
    public boolean isBroken() {
      return isBroken;
    }

    @Override
    public void recoverAndClose(CancelableProgressable reporter) {
      released.countDown();
    }

    @Override
    public void close() throws IOException {
      awaitNameNode();
    }
  }

  private void awaitNameNode() throws IOException {
    try {
      nameNode.await();
    } catch (InterruptedException e) {
      throw (IOException) new InterruptedIOException("the name node's answer").initCause(e);
    }
  }

  private FanOutAppend log(AsyncFSOutput out, Duration answer, Duration end) {
    return log(out, answer, end, recovered::countDown);
  }

  private FanOutAppend log(
      AsyncFSOutput out, Duration answer, Duration end, HadoopAppend.Step recovery) {
    FanOutAppend.Waits waits = new FanOutAppend.Waits(answer, NEVER, end);
    return new FanOutAppend(new Path("/log"), out, recovery, threads, waits);
  }

  @Test
  void creationsAndEndsAreWaitedForAsLongAsForSocketsAndNoLongerThanForAnswers() {
    Configuration conf = new Configuration(false);
    conf.setLong("hbase.regionserver.wal.sync.timeout", 2000);
    for (int millis : new int[] {500, 1500, 9000}) {
      conf.setInt("dfs.client.socket-timeout", millis);
      FanOutAppend.Waits waits = FanOutAppend.Waits.from(conf);
      assertEquals(Duration.ofSeconds(2), waits.answer());
      assertEquals(Duration.ofMillis(Math.min(2000, 2 * millis)), waits.creation());
      assertEquals(Duration.ofMillis(Math.min(2000, millis)), waits.end());
    }
  }

  @Test
  void waitsOfNoTimeOrWithoutAnEndAreRefused() {
    for (String key :
        List.of(
            "hbase.regionserver.wal.sync.timeout",
            "hbase.regionserver.hlog.sync.timeout",
            "dfs.client.socket-timeout")) {
      Configuration conf = new Configuration(false);
      conf.setLong(key, 0);
      String refusal =
          assertThrows(IllegalArgumentException.class, () -> FanOutAppend.Waits.from(conf))
              .getMessage();
      assertEquals(key + " must be positive, not 0", refusal);
    }
  }

  @Test
  void anEndForWhichThereIsNoThreadMoreGivesUp() throws Exception {
    threads.close();
    CompletableFuture<Throwable> told = new CompletableFuture<>();
    IOException refused =
        assertThrows(
            IOException.class,
            () -> threads.call("it", NEVER, () -> 1, (late, failure) -> told.complete(failure)));
    assertEquals(refused, told.getNow(null));
  }

  /** Whatever else fails: while its lease is held no replica is made for one that was lost. */
  @Test
  void theLeaseOfAStreamThatCannotBeReleasedIsRecovered() throws Exception {
    Stuck fails =
        new Stuck(new CompletableFuture<>(), false) {
          @Override
          public void recoverAndClose(CancelableProgressable reporter) {
            throw new OutOfMemoryError("direct");
          }
        };
    log(fails, NEVER, NEVER).abandon();
    assertTrue(recovered.await(30, TimeUnit.SECONDS));
  }

  @Test
  void aStreamThatCannotSendItsLastBytesIsGivenUp() throws Exception {
    Stuck fails =
        new Stuck(new CompletableFuture<>(), false) {
          @Override
          public CompletableFuture<Long> flush(boolean sync) {
            throw new OutOfMemoryError("direct");
          }
        };
    FanOutAppend log = log(fails, NEVER, NEVER);
    assertThrows(OutOfMemoryError.class, log::close);
    assertTrue(released.await(30, TimeUnit.SECONDS));
  }

  @Test
  void aFlushThatABrokenStreamForgetsFails() {
    FanOutAppend log = log(new Stuck(new CompletableFuture<>(), true), NEVER, NEVER);
    IOException failure =
        assertTimeoutPreemptively(
            Duration.ofSeconds(30), () -> assertThrows(IOException.class, log::flush));
    assertTrue(failure.getMessage().endsWith("has broken"), failure::toString);
  }

  @Test
  void anAnswerThatComesWhileTheStreamBreaksCounts() {
    CompletableFuture<Long> flushed = new CompletableFuture<>();
    Stuck breaks =
        new Stuck(flushed, true) {
          @Override
          public boolean isBroken() {
            flushed.complete(1L);
            return true;
          }
        };
    FanOutAppend log = log(breaks, NEVER, NEVER);
    assertTimeoutPreemptively(Duration.ofSeconds(30), log::flush);
  }

  @Test
  void noAnswerIsWaitedForForEver() {
    FanOutAppend log = log(new Stuck(new CompletableFuture<>(), false), SOON, NEVER);
    IOException failure =
        assertTimeoutPreemptively(
            Duration.ofSeconds(30), () -> assertThrows(IOException.class, log::flush));
    assertTrue(failure.getMessage().contains("waits for an answer"), failure::toString);
  }

  @Test
  void anEndThatTakesTooLongIsGivenUp() throws Exception {
    FanOutAppend log = log(new Stuck(CompletableFuture.completedFuture(0L), false), NEVER, SOON);
    IOException failure = assertThrows(IOException.class, log::close);
    assertTrue(failure.getMessage().contains("takes longer than"), failure::toString);
    assertTrue(released.await(30, TimeUnit.SECONDS), "its connections are left");
    assertTrue(recovered.await(30, TimeUnit.SECONDS), "its lease is left");
  }

  /** HBase's loop around the call of the name node takes no notice of an interrupt. */
  @Test
  void theLeaseIsRecoveredAlsoWhereTheEndCannotBeInterrupted() throws Exception {
    Stuck deaf =
        new Stuck(CompletableFuture.completedFuture(0L), false) {
          @Override
          public void close() {
            while (nameNode.getCount() > 0) {
              try {
                nameNode.await();
              } catch (InterruptedException e) {
                // asks again
              }
            }
          }
        };
    assertThrows(IOException.class, log(deaf, NEVER, SOON)::close);
    assertTrue(recovered.await(30, TimeUnit.SECONDS), "its lease is left");
  }

  /** The recovery of its lease may take 15 minutes. */
  @Test
  void anEndThatFailsIsTheNameNodesOwnFailureAndWaitsForNoRecovery() throws Exception {
    Stuck fails =
        new Stuck(CompletableFuture.completedFuture(0L), false) {
          @Override
          public void close() throws IOException {
            throw new IOException("no name node");
          }
        };
    HadoopAppend.Step recovery =
        () -> {
          recovered.countDown();
          awaitNameNode();
        };
    FanOutAppend log = log(fails, NEVER, NEVER, recovery);
    IOException failure =
        assertTimeoutPreemptively(
            Duration.ofSeconds(30), () -> assertThrows(IOException.class, log::close));
    assertEquals("no name node", failure.getMessage());
    assertTrue(released.await(30, TimeUnit.SECONDS), "its connections are left");
    assertTrue(recovered.await(30, TimeUnit.SECONDS), "its lease is left");
  }

  /** Whether its thread has begun by then or not. */
  @Test
  void anEndWhoseCallerIsInterruptedIsGivenUp() throws Exception {
    FanOutAppend log = log(new Stuck(CompletableFuture.completedFuture(0L), false), NEVER, NEVER);
    Thread caller = Thread.currentThread();
    CompletableFuture<Void> interrupter =
        CompletableFuture.runAsync(
            () -> {
              while (caller.getState() != Thread.State.TIMED_WAITING) {
                Thread.onSpinWait();
              }
              caller.interrupt();
            });
    assertThrows(InterruptedIOException.class, log::close);
    assertTrue(Thread.interrupted(), "it is told on");
    interrupter.get();
    assertTrue(released.await(30, TimeUnit.SECONDS), "its connections are left");
    assertTrue(recovered.await(30, TimeUnit.SECONDS), "its lease is left");
  }

  @Test
  void aThreadForWhichThereIsNoMemoryIsAFailureOfItsCallAlone() {
    try (WaitingThreads none =
        new WaitingThreads(
            task -> {
              throw new OutOfMemoryError("unable to create native thread");
            })) {
      none.inBackground("a step", recovered::countDown);
      assertEquals(1, recovered.getCount());
      IOException failure =
          assertThrows(
              IOException.class,
              () -> none.call("a call", NEVER, () -> null, (returned, thrown) -> {}));
      assertEquals("a call has no thread", failure.getMessage());
    }
  }

  @Test
  void aCallThatWasNeverBegunIsGivenBack() {
    AtomicInteger late = new AtomicInteger();
    Thread.currentThread().interrupt();
    for (int call = 0; call < 1000; call++) {
      assertThrows(
          InterruptedIOException.class,
          () ->
              threads.call(
                  "a call",
                  NEVER,
                  () -> {
                    new Stuck(null, false).close();
                    return null;
                  },
                  (returned, thrown) -> late.incrementAndGet()));
    }
    assertTrue(Thread.interrupted(), "it is told on");
    assertTimeoutPreemptively(
        Duration.ofSeconds(30),
        () -> {
          while (late.get() < 1000) {
            Thread.onSpinWait();
          }
        });
  }
}
