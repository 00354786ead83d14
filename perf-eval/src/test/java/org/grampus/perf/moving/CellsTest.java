package org.grampus.perf.moving;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.util.Bytes;
import org.grampus.perf.ToolException;
import org.junit.jupiter.api.Test;

final class CellsTest {
  private static final byte[] ROW = {(byte) 0xFF, 0};
  private static final byte[] F = Bytes.toBytes("f");

  private static String difference(List<String> old, List<String> fresh) {
    return assertThrows(
            ToolException.class, () -> Cells.requireSame("cells of t", "old", old, "new", fresh))
        .getMessage();
  }

  @Test
  void aLineHasAllThatServersMustAgreeOn() {
    assertEquals(
        "\\xFF\\x00/f:/7/Put=", Cells.line(new KeyValue(ROW, F, new byte[0], 7, new byte[0])));
    assertEquals(
        "\\xFF\\x00/f:q/7/DeleteColumn=",
        Cells.line(new KeyValue(ROW, F, Bytes.toBytes("q"), 7, KeyValue.Type.DeleteColumn)));
  }

  @Test
  void theSameLinesAreNoDifference() {
    assertDoesNotThrow(
        () -> Cells.requireSame("cells of t", "old", List.of("a"), "new", List.of("a")));
  }

  @Test
  void theFirstDifferenceIsNamed() {
    assertEquals(
        "cells of t differ behind the first 1: old, of 3 in all, has b, new, of 2 in all, has c",
        difference(List.of("a", "b", "c"), List.of("a", "c")));
  }

  @Test
  void aMissingEndIsADifference() {
    assertEquals(
        "cells of t differ behind the first 1: old, of 2 in all, has b, new, of 1 in all, has"
            + " nothing",
        difference(List.of("a", "b"), List.of("a")));
    assertEquals(
        "cells of t differ behind the first 0: old, of 0 in all, has nothing, new, of 1 in all, has"
            + " a",
        difference(List.of(), List.of("a")));
  }
}
