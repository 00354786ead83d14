package org.grampus.mapreduce.input;

import static org.grampus.mapreduce.input.ServerPiecesTest.answer;
import static org.grampus.mapreduce.input.ServerPiecesTest.b;
import static org.grampus.mapreduce.input.ServerPiecesTest.cut;
import static org.grampus.mapreduce.input.ServerPiecesTest.piece;
import static org.grampus.mapreduce.input.ServerPiecesTest.plan;
import static org.grampus.mapreduce.input.ServerPiecesTest.regions;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hbase.mapreduce.TableSplit;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.util.Time;
import org.grampus.mapreduce.input.ServerPieces.Answer;
import org.grampus.mapreduce.input.ServerPieces.Service;
import org.junit.jupiter.api.Test;

/** How long a plan waits for servers. */
class ServerPatienceTest {
  private static final long MB = 1L << 20;

  /** A region that does not answer until its asking thread is interrupted. */
  private static final class Hanging {
    private final CountDownLatch never = new CountDownLatch(1);
    private final CountDownLatch interrupted = new CountDownLatch(1);

    Answer hang() throws IOException {
      try {
        never.await();
        throw new AssertionError("no thread counts it down");
      } catch (InterruptedException e) {
        interrupted.countDown();
        throw (IOException) new InterruptedIOException("interrupted").initCause(e);
      }
    }

    void awaitInterrupt() throws InterruptedException {
      assertTrue(interrupted.await(60, TimeUnit.SECONDS));
    }
  }

  @Test
  void aRegionThatHangsIsGivenUpAndCutByKeys() throws Exception {
    Hanging hanging = new Hanging();
    Service service =
        (row, bytes) ->
            row.length == 0 ? hanging.hang() : answer("", piece("5", 10), piece("9999", 10));
    List<CutRegion> regions =
        List.of(
            cut(KeyRange.of(new byte[0], b("5")), MB), cut(KeyRange.of(b("5"), new byte[0]), MB));
    List<List<Piece>> pieces = new ServerPieces(service, 1_000).pieces(regions);
    assertEquals(List.of(0, 2), pieces.stream().map(List::size).toList());
    hanging.awaitInterrupt();
  }

  @Test
  void anInterruptEndsThePlan() throws Exception {
    Hanging hanging = new Hanging();
    ServerPieces pieces = new ServerPieces((row, bytes) -> hanging.hang(), 600_000);
    Thread.currentThread().interrupt();
    assertThrows(InterruptedIOException.class, () -> pieces.pieces(List.of(cut(KeyRange.ALL, MB))));
    assertTrue(Thread.interrupted(), "the caller sees it, too");
  }

  /** Servers that take 5 ms for an answer, of which one never does. */
  @Test
  void tenThousandRegionsArePlannedInLessThanTenSeconds() throws Exception {
    List<TableSplit> regions = regions(10_000, MB);
    Hanging hanging = new Hanging();
    AtomicInteger answered = new AtomicInteger();
    Service service =
        (row, bytes) -> {
          if (Bytes.equals(row, b("0007"))) {
            return hanging.hang();
          }
          answerTime();
          answered.incrementAndGet();
          return answer("", new Piece(row, 1000), new Piece(Bytes.add(row, b("77")), 1000));
        };
    long begin = Time.monotonicNow();
    List<PlannedTableSplit> splits = plan(regions, KeyRange.ALL, SplitGoal.perRegion(2), service);
    long millis = Time.monotonicNow() - begin;
    assertTrue(millis < 10_000, millis + " ms");
    assertTrue(answered.get() > 0);
    hanging.awaitInterrupt();
    assertEquals(20_000, splits.size());
    assertArrayEquals(b("000177"), splits.get(3).getStartRow(), "cut by bytes");
    assertArrayEquals(b("00075"), splits.get(15).getStartRow(), "cut by keys");
  }

  private static void answerTime() throws IOException {
    try {
      TimeUnit.MILLISECONDS.sleep(5);
    } catch (InterruptedException e) {
      throw (IOException) new InterruptedIOException("interrupted").initCause(e);
    }
  }
}
