package org.grampus.perf.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

final class TurnMeterTest {
  private static final long SET_UP_NANOS = 5000;
  private static final long GROUP_NANOS = 100;
  private static final long LONG = Long.MAX_VALUE / 2;

  private final SettingUp out = new SettingUp();
  private final TurnMeter meter =
      new TurnMeter(() -> out.now, () -> new CpuMicros(out.now, 3 * out.now));

  /** A stream whose first group takes longer, as its acknowledgement shows. */
  private static final class SettingUp implements LogStream {
    private int groups;
    private long now;

    @Override
    public CompletableFuture<?> append(ByteBuffer group) {
      assertEquals(4, group.remaining(), "the whole group, each time");
      group.position(group.limit());
      long nanos = groups == 0 ? SET_UP_NANOS : GROUP_NANOS;
      groups++;
      return new CompletableFuture<Void>() {
        @Override
        public Void get() {
          now += nanos;
          return null;
        }
      };
    }

    @Override
    public void close() {}
  }

  private Turn turn(long groupsMax, long nanosMax) throws IOException {
    return meter.measure(out, ByteBuffer.allocateDirect(4), 1, groupsMax, nanosMax);
  }

  @Test
  void theFirstGroupIsInNoFigure() throws IOException {
    Turn turn = turn(6, LONG);

    assertEquals(5, turn.groups());
    assertEquals(GROUP_NANOS, turn.latencies().getMaxValue());
    assertEquals(5 * GROUP_NANOS, turn.nanos());
    assertEquals(new CpuMicros(5 * GROUP_NANOS, 15 * GROUP_NANOS), turn.cpu());
  }

  @Test
  void theFileHoldsTheFirstGroupToo() throws IOException {
    turn(6, LONG);

    assertEquals(6, out.groups);
  }

  @Test
  void theTimeBeginsBehindTheFirstGroup() throws IOException {
    assertEquals(2, turn(LONG, 2 * GROUP_NANOS).groups());
  }

  @Test
  void aFailureOfTheFirstGroupFailsTheTurn() {
    LogStream broken =
        new LogStream() {
          @Override
          public CompletableFuture<?> append(ByteBuffer group) {
            return CompletableFuture.failedFuture(new IOException("no data node"));
          }

          @Override
          public void close() {}
        };

    IOException failure =
        assertThrows(
            IOException.class,
            () -> meter.measure(broken, ByteBuffer.allocateDirect(4), 1, 1, LONG));
    assertEquals("no data node", failure.getMessage());
  }
}
