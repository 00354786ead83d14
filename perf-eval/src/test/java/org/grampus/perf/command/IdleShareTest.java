package org.grampus.perf.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.grampus.perf.process.ProcSample;
import org.junit.jupiter.api.Test;

final class IdleShareTest {
  @Test
  void shareIsOfTheTimeBetweenTheSamples() {
    IdleShare share =
        IdleShare.of(
            new ProcSample(5_000_000, 0, 100 << 10, 0),
            new ProcSample(5_300_000, 0, 200 << 10, 0),
            30);

    assertEquals(1.0, share.percent(), 1e-9);
    assertEquals(200, share.rssMb());
  }

  @Test
  void serverWithoutRegionsMayTakeTwoPercentAndSomeMemory() {
    assertTrue(new IdleShare(400, 1.9).isWithinLimits());
    assertFalse(new IdleShare(401, 1.9).isWithinLimits());
    assertFalse(new IdleShare(400, 2).isWithinLimits());
  }

  @Test
  void metricsMayTakeOnePercentOfThem() {
    IdleShare alone = new IdleShare(500, 0.5);

    assertTrue(new IdleShare(500, 1.4).isWithinLimits(alone));
    assertFalse(new IdleShare(500, 1.5).isWithinLimits(alone));
    assertTrue(new IdleShare(500, 3).isWithinLimits(new IdleShare(500, 2.5)));
  }
}
