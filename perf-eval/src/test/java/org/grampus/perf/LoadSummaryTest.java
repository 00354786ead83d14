package org.grampus.perf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LoadSummaryTest {
  private static List<LoadSecond> load(long... rows) {
    List<LoadSecond> seconds = new ArrayList<>();
    for (long inSecond : rows) {
      int number = seconds.size();
      seconds.add(new LoadSecond(number, inSecond, 1, 10L * number, 100, number, 5, 200 - number));
    }
    return seconds;
  }

  @Test
  void theFirstAndTheLastSecondAreNotWhole() {
    LoadSummary summary = LoadSummary.of(load(1, 100, 200, 300, 2));
    assertEquals(3, summary.seconds());
    assertEquals(200, summary.rowsPerSecond());
    assertEquals(0.5, summary.worstShare());
    assertEquals(0.408, summary.variation(), 0.001);
    assertEquals(20, summary.putP99MicrosMedian());
    assertEquals(30, summary.putP99MicrosWorst());
    assertEquals(4, summary.storeFilesMax());
    assertEquals(200, summary.rssMbMax());
  }

  @Test
  void aLoadOfTwoSecondsSaysNothing() {
    assertThrows(IllegalArgumentException.class, () -> LoadSummary.of(load(1, 2)));
  }

  @Test
  void linesOfAFileReadBackAsTheyWere() {
    List<LoadSecond> load = load(1, 100, 2);
    StringBuilder lines = new StringBuilder(LoadSecond.HEADER + "\n");
    load.forEach(second -> lines.append(second.line()).append('\n'));
    assertEquals(load, LoadSecond.parse(lines.toString()));
  }
}
