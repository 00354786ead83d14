package org.grampus.perf.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Map;
import org.grampus.perf.ToolException;
import org.grampus.perf.process.MetricsLine;
import org.junit.jupiter.api.Test;

final class PageCountsTest {
  private static MetricsLine line(long second, long hits, long misses) {
    return new MetricsLine(
        second * 1000,
        Map.of(
            "block_cache.hit_count", hits,
            "block_cache.miss_count", misses,
            "files.page_read_bytes", misses * 65_536));
  }

  @Test
  void secondsBeforeTheFirstAndAfterTheLastMissAreLeftOut() {
    PageCounts counts =
        PageCounts.of(
            List.of(
                line(0, 0, 5),
                line(1, 100, 5),
                line(2, 200, 9),
                line(3, 300, 10),
                line(4, 400, 10),
                line(5, 500, 10)));

    assertEquals(2_000, counts.millis());
    assertEquals(205, counts.asked());
    assertEquals(5, counts.missed());
    assertEquals(5 * 65_536, counts.bytes());
  }

  @Test
  void getsAreWhatTheScanAloneDidNotAskFor() throws ToolException {
    PageCounts alone = new PageCounts(1_000, 1_000, 1_000, 0, 0, 0);
    PageCounts both = new PageCounts(2_000, 3_020, 1_020, 2_020, 20, 0);

    GetsBesideScan gets = GetsBesideScan.of(both, alone, 2);

    assertEquals(1_000, gets.number());
    assertEquals(20, gets.missed());
    assertEquals(99.0, gets.percent(), 1e-9);
    assertEquals("", gets.fault(GetsBesideScan.caching(both, 2)));
  }

  @Test
  void getsThatMissManyPagesAreAFault() throws ToolException {
    PageCounts alone = new PageCounts(1_000, 1_000, 1_000, 0, 0, 0);

    GetsBesideScan gets = GetsBesideScan.of(new PageCounts(2_000, 2_000, 1_200, 0, 0, 0), alone, 1);

    assertEquals("the gets found no more than 90 % of their pages in the cache", gets.fault(gets));
    assertThrows(ToolException.class, () -> GetsBesideScan.of(alone, alone, 1));
  }
}
