package org.grampus.perf.command;

import org.grampus.perf.ToolException;

/**
 * Gets beside a full scan, apart from it. The engine counts pages, not whose they are. But a scan
 * asks once for each page of its table: one alone, when none of them is in the cache, says what the
 * later ones ask for, and the rest is the gets'. A get that misses a page waits for it on another
 * thread, where it asks again for those that it had found.
 *
 * @param number of gets
 * @param missed pages that the gets did not find
 * @param percent of their pages that were in the cache
 */
record GetsBesideScan(double number, long missed, double percent) {
  private static final double PERCENT_MIN = 90;
  private static final double DIFFERENCE_MAX = 0.1;

  /**
   * Those of some time in which a scan ran.
   *
   * @param both what gets and scan asked for
   * @param alone what the same scan asked for alone
   * @param pages that one get asks for
   */
  static GetsBesideScan of(PageCounts both, PageCounts alone, long pages) throws ToolException {
    return of(both.asked() - alone.asked(), both.missed() - alone.missed(), pages);
  }

  /** Those of reads that let pages in, beside a scan that lets none in. */
  static GetsBesideScan caching(PageCounts both, long pages) throws ToolException {
    return of(both.caching(), both.cachingMissed(), pages);
  }

  private static GetsBesideScan of(long asked, long missed, long pages) throws ToolException {
    double number = (double) (asked - (pages - 1) * missed) / pages;
    if (missed < 0 || number < 1) {
      throw new ToolException("fewer pages were asked for than by the scan alone");
    }
    return new GetsBesideScan(number, missed, 100 * (1 - (double) missed / pages / number));
  }

  /**
   * Compares both ways to count, where there are two.
   *
   * @return what is wrong, or an empty string
   */
  String fault(GetsBesideScan countedApart) {
    if (Math.abs(percent - countedApart.percent) > DIFFERENCE_MAX) {
      return "the two ways to count the pages of the gets do not agree";
    }
    return percent > PERCENT_MIN
        ? ""
        : "the gets found no more than 90 % of their pages in the cache";
  }
}
