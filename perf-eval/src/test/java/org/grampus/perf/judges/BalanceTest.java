package org.grampus.perf.judges;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

final class BalanceTest {
  @Test
  void evenIsWithinHalfOfTheMean() {
    assertTrue(spread(10, 10, 10).isEven());
    assertTrue(spread(5, 10, 15).isEven());
    assertFalse(spread(4, 10, 16).isEven());
    assertFalse(spread(0, 15, 15).isEven());
    assertFalse(spread(0, 0, 0).isEven());
    assertFalse(spread().isEven());
  }

  @Test
  void refusesAServerThatStaysWithoutRegions() {
    assertEquals(
        List.of("the balancer leaves regions by server at [0, 15, 15]"),
        Balance.judge(spread(15, 15), spread(0, 15, 15), false, 120).objections());
  }

  @Test
  void saysWhatItHasSeen() {
    Judgement judgement = Balance.judge(spread(15, 15), spread(10, 10, 10), true, 7.25);
    assertEquals(List.of(), judgement.objections());
    assertEquals("regions by server [15, 15], then [10, 10, 10] after 7.3 s", judgement.counts());
  }

  private static Spread spread(Integer... regions) {
    return new Spread(List.of(regions));
  }
}
