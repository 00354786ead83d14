package org.grampus.mapreduce.source;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class LineCountTest {
  private static long lines(String text) {
    LineCount lines = new LineCount();
    for (byte next : text.getBytes(StandardCharsets.UTF_8)) {
      lines.take(next);
    }
    return lines.line();
  }

  @Test
  void aLineEndsWithCrLfOrBoth() {
    assertEquals(1, lines(""));
    assertEquals(1, lines("a"));
    assertEquals(3, lines("a\nb\n"));
    assertEquals(3, lines("a\rb\r"));
    assertEquals(3, lines("a\r\nb\r\n"));
    assertEquals(5, lines("\n\r\r\n\n"));
  }
}
