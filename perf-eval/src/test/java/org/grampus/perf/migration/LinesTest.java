package org.grampus.perf.migration;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.grampus.perf.ToolException;
import org.junit.jupiter.api.Test;

final class LinesTest {
  private static void require(List<String> ofSource, List<String> ofTarget) throws ToolException {
    new Lines("source", ofSource).requireSame("cells of t", new Lines("target", ofTarget));
  }

  private static String difference(List<String> ofSource, List<String> ofTarget) {
    return assertThrows(ToolException.class, () -> require(ofSource, ofTarget)).getMessage();
  }

  @Test
  void theSameLinesAreNoDifference() {
    assertDoesNotThrow(() -> require(List.of("a"), List.of("a")));
  }

  @Test
  void theFirstDifferenceIsNamed() {
    assertEquals(
        "cells of t differ after the first 1: source, of 3 in all, has b, target, of 2 in all, has c",
        difference(List.of("a", "b", "c"), List.of("a", "c")));
  }

  @Test
  void aMissingEndIsADifference() {
    assertEquals(
        "cells of t differ after the first 1: source, of 2 in all, has b, target, of 1 in all, has"
            + " nothing",
        difference(List.of("a", "b"), List.of("a")));
    assertEquals(
        "cells of t differ after the first 0: source, of 0 in all, has nothing, target, of 1 in all, has"
            + " a",
        difference(List.of(), List.of("a")));
  }
}
