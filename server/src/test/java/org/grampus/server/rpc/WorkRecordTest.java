package org.grampus.server.rpc;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class WorkRecordTest {
  private static final long START = Long.MAX_VALUE - 1000; // the clock may overflow
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  private final WorkRecord record = new WorkRecord(START);

  @Test
  void usualCallsLeaveNoTrace() {
    for (int i = 0; i < 10_000; i++) {
      record.add(WorkRecord.USUAL_NANOS, START);
    }
    assertFalse(record.isHeavy(START));
  }

  @Test
  void oneLongCallIsHeavyUntilItIsForgiven() {
    record.add(WorkRecord.USUAL_NANOS + 2 * WorkRecord.HEAVY_NANOS, START);
    assertTrue(record.isHeavy(START));
    assertFalse(record.isHeavy(START + SECOND));
  }

  @Test
  void manyCallsThatAreALittleLongAreHeavy() {
    long calls = 2 * WorkRecord.HEAVY_NANOS / WorkRecord.USUAL_NANOS;
    for (int i = 0; i < calls; i++) {
      record.add(2 * WorkRecord.USUAL_NANOS, START);
    }
    assertTrue(record.isHeavy(START));
  }

  @Test
  void nothingIsRememberedForLong() {
    record.add(3600 * SECOND, START);
    record.add(3600 * SECOND, START);
    assertTrue(record.isHeavy(START + 9 * SECOND));
    assertFalse(record.isHeavy(START + 10 * SECOND));
    assertFalse(record.isHeavy(START + 3600 * SECOND));
  }
}
