package org.grampus.perf.cluster;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.api.Test;

final class FaultInjectorTest {
  private static boolean mayEnd(int pauseMillis, int sessionMillis) {
    return FaultInjector.mayEndSession(Duration.ofMillis(pauseMillis), sessionMillis);
  }

  @Test
  void pausesThatReachTheEndOfASessionExcuseAnEnd() {
    assertTrue(mayEnd(6000, 6000));
    assertTrue(mayEnd(3900, 6000), "0.6 s before it, and 1.5 s to connect");
    assertFalse(mayEnd(3899, 6000), "an end is wrong, although it is more than half of a session");
    assertFalse(mayEnd(16_499, 20_000));
  }

  /** A new connection would take longer than the rest of such a session, but none is made. */
  @Test
  void aConnectionThatIsKeptIsUsedAtOnce() {
    assertTrue(mayEnd(1134, 2000));
    assertFalse(mayEnd(1133, 2000));
  }
}
