package org.grampus.perf.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Iterator;
import java.util.List;
import org.grampus.perf.ToolException;
import org.junit.jupiter.api.Test;

final class IdleWaitTest {
  private int pauses;

  /** The processor time of each server at each poll, in µs. */
  private void until(List<List<Long>> micros) throws Exception {
    Iterator<List<Long>> samples = micros.iterator();
    IdleWait.until("servers to be idle", samples::next, () -> pauses++);
  }

  @Test
  void endsWithTheFirstPauseOfLittleProcessorTime() throws Exception {
    until(
        List.of(
            List.of(0L),
            List.of(2_000_000L),
            List.of(2_250_001L),
            List.of(2_500_001L),
            List.of(9_000_000L)));

    assertEquals(3, pauses);
  }

  @Test
  void eachServerMayTakeAsMuch() throws Exception {
    until(List.of(List.of(0L, 0L, 0L), List.of(250_000L, 250_000L, 250_000L)));

    assertEquals(1, pauses);
  }

  @Test
  void busyServerIsNotHiddenByIdleOnes() throws Exception {
    until(List.of(List.of(0L, 7L, 0L), List.of(0L, 250_008L, 0L), List.of(0L, 250_009L, 0L)));

    assertEquals(2, pauses);
  }

  @Test
  void serversThatAreNeverIdleAreNamed() {
    long[] micros = new long[1];

    ToolException failure =
        assertThrows(
            ToolException.class,
            () ->
                IdleWait.until(
                    "servers to be idle", () -> List.of(micros[0] += 1_000_000), () -> pauses++));

    assertEquals("waited an hour in vain for servers to be idle", failure.getMessage());
    assertEquals(IdleWait.POLLS_MAX, pauses);
  }
}
