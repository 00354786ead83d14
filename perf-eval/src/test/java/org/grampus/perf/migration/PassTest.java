package org.grampus.perf.migration;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

final class PassTest {
  private static final Pass FIRST = Pass.until(1_000_000);

  @Test
  void eachPassBeginsBeforeTheEndOfTheOneBefore() {
    assertEquals(new Pass(1, 0, 1_000_000), FIRST);
    assertEquals(new Pass(2, 995_000, 2_000_000), FIRST.next(2_000_000));
    assertEquals(new Pass(2, 995_000, Long.MAX_VALUE), FIRST.last());
    assertEquals(new Pass(1, 0, 10), Pass.between(3, 10));
  }

  @Test
  void onlyTheLastOneHasNoEnd() {
    assertTrue(FIRST.last().isLast());
    assertFalse(FIRST.next(2_000_000).isLast());
    assertEquals("pass 1", FIRST.toString());
    assertEquals("last pass", FIRST.last().toString());
  }
}
