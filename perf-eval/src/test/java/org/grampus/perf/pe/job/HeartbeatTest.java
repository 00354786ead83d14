package org.grampus.perf.pe.job;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class HeartbeatTest {
  @Test
  void aTaskIsAliveWhileItsThreadWaits() throws Exception {
    CountDownLatch beats = new CountDownLatch(3);
    try (Heartbeat heartbeat = new Heartbeat(beats::countDown)) {
      heartbeat.begin(10);
      assertTrue(beats.await(1, TimeUnit.MINUTES));
    }
  }

  @Test
  void aTaskThatHasEndedIsNotAlive() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    Heartbeat heartbeat = new Heartbeat(begun::countDown);
    heartbeat.begin(1);
    assertTrue(begun.await(1, TimeUnit.MINUTES));
    assertFalse(heartbeat.hasEnded());
    heartbeat.close();
    assertTrue(heartbeat.hasEnded(), "no beat follows");
  }
}
