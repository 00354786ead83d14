package org.grampus.perf.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

final class GroupWriterTest {
  private static final long LONG = Long.MAX_VALUE / 2;

  private final Acknowledging out = new Acknowledging();

  /**
   * A stream whose data nodes acknowledge a group in the 100th nanosecond after it came, which the
   * writer sees when it asks for it.
   */
  private static final class Acknowledging implements LogStream {
    private final List<Integer> unasked = new ArrayList<>();
    private int appended;
    private int asked;
    private long now;

    @Override
    public CompletableFuture<?> append(ByteBuffer group) {
      assertEquals(4, group.remaining(), "the whole group, each time");
      group.position(group.limit());
      appended++;
      unasked.add(appended - asked);
      long done = now + 100;
      return new CompletableFuture<Void>() {
        @Override
        public Void get() {
          asked++;
          now = Math.max(now, done);
          return null;
        }
      };
    }

    @Override
    public void close() {}
  }

  private Histogram write(int inFlight, long groupsMax, long nanosMax) throws IOException {
    return new GroupWriter(out, inFlight, () -> out.now)
        .write(ByteBuffer.allocateDirect(4), groupsMax, nanosMax);
  }

  @Test
  void oneGroupWaitsForTheOneBefore() throws IOException {
    Histogram latencies = write(1, 5, LONG);

    assertEquals(List.of(1, 1, 1, 1, 1), out.unasked);
    assertEquals(5, latencies.getTotalCount());
    assertEquals(100, latencies.getMinValue());
    assertEquals(100, latencies.getMaxValue());
    assertEquals(500, out.now);
  }

  @Test
  void asManyAreOnTheirWayAsMayBe() throws IOException {
    Histogram latencies = write(3, 6, LONG);

    assertEquals(List.of(1, 2, 3, 3, 3, 3), out.unasked);
    assertEquals(6, latencies.getTotalCount());
    assertEquals(6, out.asked, "all are waited for");
  }

  @Test
  void theTimeEndsIt() throws IOException {
    assertEquals(2, write(1, LONG, 150).getTotalCount(), "the last begins in time");
  }

  @Test
  void aFailedAcknowledgementFailsTheWrite() {
    LogStream broken =
        new LogStream() {
          @Override
          public CompletableFuture<?> append(ByteBuffer group) {
            return CompletableFuture.failedFuture(new IOException("stream already broken"));
          }

          @Override
          public void close() {}
        };

    IOException failure =
        assertThrows(
            IOException.class,
            () -> new GroupWriter(broken, 1, () -> 0).write(ByteBuffer.allocateDirect(4), 2, LONG));
    assertEquals("stream already broken", failure.getMessage());
  }
}
