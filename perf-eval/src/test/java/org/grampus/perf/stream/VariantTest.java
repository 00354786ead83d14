package org.grampus.perf.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

final class VariantTest {
  @Test
  void streamsThatAnswerTheSameQuestionAreNeighbours() {
    assertEquals(
        List.of(
            "pipeline (as our engine calls it), hflush, 4 KiB, 1 in flight",
            "fan-out, hflush, 4 KiB, 1 in flight",
            "fan-out, hflush, 4 KiB, 3 in flight",
            "pipeline (as our engine calls it), hflush + hsync, 4 KiB, 1 in flight",
            "pipeline (as our engine calls it), hsync, 4 KiB, 1 in flight",
            "fan-out, hsync, 4 KiB, 1 in flight",
            "fan-out, hsync, 4 KiB, 3 in flight"),
        Variant.all(List.of(4), 3).stream().map(Variant::toString).toList());
  }

  @Test
  void eachSizeHasAllVariants() {
    assertEquals(14, Variant.all(List.of(1, 256), 3).size());
    assertEquals(7, Variant.all(List.of(1, 1), 3).size(), "each once");
  }

  @Test
  void oneGroupInFlightIsMeasuredOnce() {
    List<Variant> variants = Variant.all(List.of(4), 1);
    assertEquals(5, variants.size());
    assertTrue(variants.stream().allMatch(variant -> variant.inFlight() == 1));
  }

  @Test
  void nearlyAllGroupsEndInsideAChunk() {
    for (Variant variant : Variant.all(List.of(1, 4, 32, 256), 3)) {
      long inside =
          LongStream.rangeClosed(1, 512)
              .filter(groups -> groups * variant.groupBytes() % 512 != 0)
              .count();
      assertEquals(511, inside, variant::toString);
    }
  }

  /** Its stream does nothing where nothing is new. */
  @Test
  void theFanOutStreamSyncsOnce() {
    Set<SyncCalls> syncs =
        Variant.all(List.of(4), 3).stream()
            .filter(variant -> variant.stream() == StreamKind.FAN_OUT)
            .map(Variant::sync)
            .collect(Collectors.toSet());
    assertEquals(Set.of(SyncCalls.HFLUSH, SyncCalls.HSYNC), syncs);
  }
}
