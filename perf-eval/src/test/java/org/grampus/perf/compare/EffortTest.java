package org.grampus.perf.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

final class EffortTest {
  private static final Effort EFFORT = new Effort(1, 10, 1_000_000, 2);

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
    assertEquals(1, EFFORT.cpuSeconds(1e-9).operations(1000, 1000));
  }

  @Test
  void warmUpEndsByTimeOrByOperations() {
    assertEquals(0, EFFORT.moreToWarm(10, 10));
    assertEquals(0, EFFORT.moreToWarm(1_000_000, 1));
    assertEquals(800, EFFORT.moreToWarm(200, 2));
    assertEquals(500_000, EFFORT.moreToWarm(500_000, 1));
  }

  @Test
  void warmUpOfNamedSecondsHasAsManyOperationsAsFit() {
    Effort effort = EFFORT.warmSeconds(60);
    assertEquals(0, effort.moreToWarm(10, 60));
    assertEquals(59_000_000, effort.moreToWarm(1_000_000, 1));
    assertEquals(effort.warmSeconds(), effort.cpuSeconds(0.1).warmSeconds());
  }

  @Test
  void shortRunsAreWarmedUpShortly() {
    assertEquals(new Effort(0.1, 0.2, 1_000_000, 2), EFFORT.cpuSeconds(0.1));
    assertEquals(new Effort(20, 10, 1_000_000, 2), EFFORT.cpuSeconds(20));
  }
}
