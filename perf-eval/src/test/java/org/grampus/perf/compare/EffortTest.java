package org.grampus.perf.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

final class EffortTest {
  private static final Effort EFFORT = new Effort(1, 10, 2);

  @Test
  void repetitionGivesTheCheaperServerItsSecondAndAMargin() {
    assertEquals(60_000, EFFORT.operations(20, 80));
  }

  @Test
  void dearerServerIsNotKeptForHours() {
    assertEquals(12_000, EFFORT.operations(20, 1000));
  }

  @Test
  void workThatCostsNothingMeasurableHasOperations() {
    assertEquals(1, new Effort(1e-9, 10, 2).operations(1000, 1000));
  }

  @Test
  void warmUpEndsByTimeOrByOperations() {
    assertEquals(0, EFFORT.moreToWarm(10, 10));
    assertEquals(0, EFFORT.moreToWarm(Effort.WARM_OPERATIONS, 1));
    assertEquals(800, EFFORT.moreToWarm(200, 2));
    assertEquals(500_000, EFFORT.moreToWarm(500_000, 1));
  }

  @Test
  void shortRunsAreWarmedUpShortly() {
    assertEquals(new Effort(0.1, 0.2, 2), EFFORT.cpuSeconds(0.1));
    assertEquals(new Effort(20, 10, 2), EFFORT.cpuSeconds(20));
  }
}
