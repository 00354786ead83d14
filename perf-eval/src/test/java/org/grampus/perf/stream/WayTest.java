package org.grampus.perf.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

final class WayTest {
  @Test
  void streamsThatAnswerTheSameQuestionTakeTurns() {
    assertEquals(
        List.of(
            "stock, hflush, 4 KB, 1 in flight",
            "fan-out, hflush, 4 KB, 1 in flight",
            "fan-out, hflush, 4 KB, 3 in flight",
            "stock, hflush + hsync, 4 KB, 1 in flight",
            "stock, hsync, 4 KB, 1 in flight",
            "fan-out, hsync, 4 KB, 1 in flight",
            "fan-out, hsync, 4 KB, 3 in flight"),
        Way.all(List.of(4), 3).stream().map(Way::toString).toList());
  }

  @Test
  void eachSizeHasAllWays() {
    assertEquals(14, Way.all(List.of(1, 256), 3).size());
    assertEquals(7, Way.all(List.of(1, 1), 3).size(), "each once");
  }

  @Test
  void oneGroupInFlightIsMeasuredOnce() {
    List<Way> ways = Way.all(List.of(4), 1);
    assertEquals(5, ways.size());
    assertTrue(ways.stream().allMatch(way -> way.inFlight() == 1));
  }

  @Test
  void noGroupEndsWithAChunk() {
    Way.all(List.of(1, 4, 32, 256), 3)
        .forEach(way -> assertNotEquals(0, way.groupBytes() % 512, way::toString));
  }

  /** Its stream does nothing where nothing is new. */
  @Test
  void theFanOutStreamSyncsOnce() {
    Set<Sync> syncs =
        Way.all(List.of(4), 3).stream()
            .filter(way -> way.stream() == StreamKind.FAN_OUT)
            .map(Way::sync)
            .collect(Collectors.toSet());
    assertEquals(Set.of(Sync.HFLUSH, Sync.HSYNC), syncs);
  }
}
