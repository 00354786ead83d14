package org.grampus.perf.ycsb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class RecordNumbersTest {
  private static final long LOADED = 250_000;
  private static final int QUESTIONS_MAX = 40;

  private int questions;

  @ParameterizedTest
  @ValueSource(longs = {0, 1, 2, 3, 4, 7, 8, 9, 12_345, 131_071, 131_072})
  void keysOfInsertsBeginBehindThoseOfEarlierRuns(long inserted) throws IOException {
    RecordNumbers numbers =
        number -> {
          questions++;
          return number < LOADED + inserted;
        };

    assertEquals(LOADED + inserted, numbers.end(LOADED));
    assertTrue(questions <= QUESTIONS_MAX, "the server pays for " + questions);
  }
}
