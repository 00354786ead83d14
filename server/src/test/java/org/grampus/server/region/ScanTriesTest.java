package org.grampus.server.region;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class ScanTriesTest {
  private final ScanTries scans = new ScanTries();

  /** Fails, and counts the scans that are passed over before the next. */
  private int passedAfterFailure() {
    scans.failed();
    int passed = 0;
    while (!scans.mayTry()) {
      passed++;
    }
    return passed;
  }

  @Test
  void allAreTriedUntilOneFails() {
    for (int scan = 0; scan < 10; scan++) {
      assertTrue(scans.mayTry());
      scans.succeeded();
    }
    assertEquals(1, passedAfterFailure());
  }

  @Test
  void moreArePassedOverWithEachFailureUpToALimit() {
    assertEquals(1, passedAfterFailure());
    assertEquals(3, passedAfterFailure());
    assertEquals(7, passedAfterFailure());
    for (int failure = 0; failure < 20; failure++) {
      passedAfterFailure();
    }
    assertEquals(ScanTries.PASSED_MAX, passedAfterFailure());
  }

  @Test
  void successesMakeTriesFrequentAgain() {
    for (int failure = 0; failure < 5; failure++) {
      passedAfterFailure();
    }
    for (int scan = 0; scan < 5; scan++) {
      scans.succeeded();
    }
    assertEquals(1, passedAfterFailure());
  }
}
