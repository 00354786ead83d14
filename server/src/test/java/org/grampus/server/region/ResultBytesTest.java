package org.grampus.server.region;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class ResultBytesTest {
  private final ResultBytes bytes = new ResultBytes();

  @Test
  void nothingIsExpectedBeforeTheFirstReply() {
    assertEquals(0, bytes.of(Integer.MAX_VALUE));
  }

  @Test
  void resultsAreExpectedAsTheyCame() {
    bytes.returned(10, 10_000);
    assertEquals(100_000, bytes.of(100));
    assertEquals(1000L * Integer.MAX_VALUE, bytes.of(Integer.MAX_VALUE));
  }

  @Test
  void aFewRepliesShowThatRowsHaveChanged() {
    bytes.returned(1, 100);
    for (int i = 0; i < 10; i++) {
      bytes.returned(1, 10_000);
    }
    assertTrue(bytes.of(1) > 9000, () -> bytes.of(1) + " bytes");
    for (int i = 0; i < 20; i++) {
      bytes.returned(1, 100);
    }
    assertTrue(bytes.of(1) < 200, () -> bytes.of(1) + " bytes");
  }
}
