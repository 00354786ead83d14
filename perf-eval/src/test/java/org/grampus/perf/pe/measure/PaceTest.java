package org.grampus.perf.pe.measure;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class PaceTest {
  @Test
  void clientsAreOutOfStep() {
    List<Long> first =
        IntStream.range(0, 4).mapToObj(client -> new Pace(100, client, 4).dueNanos(0)).toList();

    assertEquals(List.of(0L, 10_000_000L, 20_000_000L, 30_000_000L), first);
  }

  @Test
  void allClientsTogetherMakeTheRate() {
    assertEquals(40_000_000L * 25, new Pace(100, 0, 4).dueNanos(25));
  }

  @Test
  void ratesThatAreNoWholeNanosecondsDoNotDrift() {
    assertEquals(1_000_000_000L, new Pace(3, 0, 1).dueNanos(3));
  }
}
