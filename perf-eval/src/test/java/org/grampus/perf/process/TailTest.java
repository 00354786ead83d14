package org.grampus.perf.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

final class TailTest {
  @Test
  void lastTwentyLinesAreShown() {
    StringBuilder output = new StringBuilder();
    for (int i = 1; i <= 30; i++) {
      output.append("line ").append(i).append('\n');
    }

    String tail = Tail.of(output.toString());

    assertTrue(tail.contains("line 11\n"), tail);
    assertTrue(tail.endsWith("line 30"), tail);
    assertFalse(tail.contains("line 10\n"), tail);
  }

  @Test
  void silenceIsNotMentioned() {
    assertEquals("", Tail.of(""));
  }
}
