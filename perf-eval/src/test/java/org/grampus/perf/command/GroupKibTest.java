package org.grampus.perf.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import picocli.CommandLine.TypeConversionException;

final class GroupKibTest {
  private final GroupKib size = new GroupKib();

  private String refusal(String typed) {
    return assertThrows(TypeConversionException.class, () -> size.convert(typed)).getMessage();
  }

  @Test
  void aBlockHoldsEnoughOfTheLargest() {
    assertEquals(1, size.convert("1"));
    assertEquals(2048, size.convert("2048"));
  }

  @Test
  void sizesOfWhichABlockHoldsTooFewAreRefused() {
    assertEquals(
        "2049 is more than 2048: a block of HDFS, which a file has one of, must hold 64 groups",
        refusal("2049"));
    assertEquals(
        "2097153 is more than 2048: a block of HDFS, which a file has one of, must hold 64 groups",
        refusal("2097153")); // whose bytes are more than an int holds
  }

  @Test
  void whatIsNoSizeIsRefused() {
    assertEquals("0 is less than 1", refusal("0"));
    assertEquals("'1k' is not a number", refusal("1k"));
  }
}
