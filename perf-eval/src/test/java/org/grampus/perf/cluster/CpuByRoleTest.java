package org.grampus.perf.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import org.junit.jupiter.api.Test;

final class CpuByRoleTest {
  @Test
  void processesOfARoleAreTakenTogether() {
    CpuByRole taken = new CpuByRole(Map.of(Role.MASTER, Map.of(1L, 9_000_000L, 2L, 1_000_000L)));
    assertEquals(10_000_000, taken.microsOf(Role.MASTER));
    assertEquals(0, taken.microsOf(Role.NAME_NODE));
  }

  @Test
  void aProcessThatEndedOrBeganMeanwhileIsNotMistakenForAnother() {
    CpuByRole before = new CpuByRole(Map.of(Role.MASTER, Map.of(1L, 9_000_000L, 2L, 1_000_000L)));
    CpuByRole after = new CpuByRole(Map.of(Role.MASTER, Map.of(2L, 3_000_000L, 3L, 500_000L)));
    assertEquals(2.5, after.secondsSince(before, Role.MASTER));
    assertEquals(0, after.secondsSince(before, Role.NAME_NODE));
  }
}
