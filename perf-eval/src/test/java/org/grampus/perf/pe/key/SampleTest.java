package org.grampus.perf.pe.key;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import org.junit.jupiter.api.Test;

final class SampleTest {
  private static Sample sample(String rate) {
    return new Sample(new BigDecimal(rate));
  }

  @Test
  void aTenthIsEveryTenthRowFromTheFirst() {
    Sample tenth = sample("0.1");

    assertEquals(101, tenth.count(1005));
    assertEquals(0, tenth.index(0));
    assertEquals(30, tenth.index(3));
    assertEquals(1000, tenth.index(100));
  }

  @Test
  void fractionsThatAreNoPartOfOneCount() {
    Sample sample = sample("0.3");

    assertEquals(300, sample.count(1000));
    assertEquals(996, sample.index(299));
  }

  @Test
  void theLastOfASampleIsARow() {
    for (long rows = 1; rows < 100; rows++) {
      Sample sample = sample("0.37");
      assertTrue(sample.index(sample.count(rows) - 1) < rows);
      assertTrue(sample.index(sample.count(rows)) >= rows);
    }
  }

  @Test
  void wholeRatesTakeAll() {
    assertEquals(Long.MAX_VALUE, Sample.ALL.count(Long.MAX_VALUE));
    assertEquals(17, sample("1.0").index(17));
  }

  @Test
  void ratesThatAreNoneAreRefused() {
    assertThrows(IllegalArgumentException.class, () -> sample("0"));
    assertThrows(IllegalArgumentException.class, () -> sample("-0.5"));
    assertThrows(IllegalArgumentException.class, () -> sample("1.01"));
    assertThrows(IllegalArgumentException.class, () -> sample("0.0000001"));
  }
}
