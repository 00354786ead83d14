package org.grampus.perf.pe.key;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.apache.hadoop.hbase.PerformanceEvaluation;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

final class RowKeyTest {
  @Test
  void keysAreThoseOfHBase() {
    for (int row : new int[] {0, 9, 10, 123_456_789, Integer.MAX_VALUE}) {
      assertArrayEquals(PerformanceEvaluation.format(row), RowKey.of(row));
    }
  }

  @Test
  void numbersBeyondIntsAreKeysToo() {
    assertEquals("00000009223372036854775807", Bytes.toString(RowKey.of(Long.MAX_VALUE)));
  }

  @Test
  void numbersComeBackFromKeys() {
    assertEquals(4_000_000_000L, RowKey.number(RowKey.of(4_000_000_000L)));
  }

  @Test
  void whatIsNoKeyHasNoNumber() {
    assertEquals(-1, RowKey.number(Bytes.toBytes("12")));
    assertEquals(-1, RowKey.number(Bytes.toBytes("0000000000000000000000000x")));
    assertEquals(-1, RowKey.number(Bytes.toBytes("99999999999999999999999999")));
  }

  @Test
  void negativeNumbersAreRefused() {
    assertThrows(IllegalArgumentException.class, () -> RowKey.of(-1));
  }
}
