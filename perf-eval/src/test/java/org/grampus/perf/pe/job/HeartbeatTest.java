package org.grampus.perf.pe.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
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
    AtomicLong beats = new AtomicLong();
    Heartbeat heartbeat = new Heartbeat(beats::incrementAndGet);
    heartbeat.begin(1);
    heartbeat.close();
    Thread.sleep(50); // a beat that had begun ends
    long ended = beats.get();

    Thread.sleep(100);

    assertEquals(ended, beats.get());
  }
}
