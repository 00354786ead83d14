package org.grampus.perf.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Iterator;
import java.util.List;
import org.grampus.perf.ToolException;
import org.junit.jupiter.api.Test;

final class IdleWaitTest {
  private int pauses;

  /** The processor time at each look, in µs. */
  private void until(int servers, Long... micros) throws Exception {
    Iterator<Long> looks = List.of(micros).iterator();
    IdleWait.until("servers to be idle", servers, looks::next, () -> pauses++);
  }

  @Test
  void endsWithTheFirstPauseOfLittleProcessorTime() throws Exception {
    until(1, 0L, 2_000_000L, 2_250_001L, 2_500_001L, 9_000_000L);

    assertEquals(3, pauses);
  }

  @Test
  void eachServerMayTakeItsPart() throws Exception {
    until(3, 0L, 750_000L);

    assertEquals(1, pauses);
  }

  @Test
  void serversThatAreNeverIdleAreNamed() {
    long[] micros = new long[1];

    ToolException failure =
        assertThrows(
            ToolException.class,
            () ->
                IdleWait.until(
                    "servers to be idle", 1, () -> micros[0] += 1_000_000, () -> pauses++));

    assertEquals("waited an hour in vain for servers to be idle", failure.getMessage());
    assertEquals(IdleWait.LOOKS_MAX, pauses);
  }
}
