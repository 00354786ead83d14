package org.grampus.perf.judges;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

final class SplitsAndMergesTest {
  @Test
  void acceptsOrdersThatHappenAndThatAreRefused() {
    assertEquals(List.of(), SplitsAndMerges.faults(true, 1, ""));
    assertEquals(List.of(), SplitsAndMerges.faults(false, -1, ""));
    assertEquals(List.of(), SplitsAndMerges.faults(true, 0, ": refused"));
    // The client's wait has failed, the order has not.
    assertEquals(List.of(), SplitsAndMerges.faults(true, 1, ": timeout"));
  }

  @Test
  void refusesHalfAnOrderAndASuccessWithoutEffect() {
    assertEquals(
        List.of("a split has changed the number of regions by 2"),
        SplitsAndMerges.faults(true, 2, ""));
    assertEquals(
        List.of("a merge has changed the number of regions by 1"),
        SplitsAndMerges.faults(false, 1, ": refused"));
    assertEquals(
        List.of("a merge was carried out, and has changed nothing"),
        SplitsAndMerges.faults(false, 0, ""));
  }

  @Test
  void aSingleRegionIsSplitInsteadOfMerged() {
    assertTrue(SplitsAndMerges.isSplit(0, 4));
    assertFalse(SplitsAndMerges.isSplit(1, 4));
    assertFalse(SplitsAndMerges.isSplit(1, 2));
    assertTrue(SplitsAndMerges.isSplit(1, 1));
  }
}
