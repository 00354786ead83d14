package org.grampus.perf.pe.key;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

final class MetaKeysTest {
  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  @Test
  void theWidthIsThatOfTheNumberOfRows() {
    assertArrayEquals(bytes("7"), MetaKeys.ofRows(9).of(7));
    assertArrayEquals(bytes("07"), MetaKeys.ofRows(10).of(7));
    assertArrayEquals(bytes("100"), MetaKeys.ofRows(10).of(100));
  }

  @Test
  void longerKeysBreakTheOrder() {
    assertTrue(MetaKeys.ofRows(9).isOrdered(0, 9));
    assertFalse(MetaKeys.ofRows(9).isOrdered(0, 10));
    assertTrue(MetaKeys.ofRows(9).isOrdered(10, 99));
  }
}
