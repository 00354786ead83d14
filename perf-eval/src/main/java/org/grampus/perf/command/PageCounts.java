package org.grampus.perf.command;

import java.util.List;
import org.grampus.perf.process.MetricsLine;

/**
 * What reads asked the block cache for in some time.
 *
 * @param millis the time
 * @param asked pages
 * @param missed pages that were not there
 * @param caching pages that were asked for by reads that let pages in
 * @param cachingMissed those of them that were not there
 * @param bytes read from files
 */
record PageCounts(
    long millis, long asked, long missed, long caching, long cachingMissed, long bytes) {
  private static final String MISSES = "block_cache.miss_count";
  private static final String HITS = "block_cache.hit_count";
  private static final String CACHING_MISSES = "block_cache.miss_caching_count";
  private static final String CACHING_HITS = "block_cache.hit_caching_count";
  private static final String BYTES = "files.page_read_bytes";

  /**
   * Between two moments. Seconds without a miss before the first and after the last one are left
   * out, so that no reads from before or after a scan make its share look better.
   *
   * @param lines one for each second, at least one
   */
  static PageCounts of(List<MetricsLine> lines) {
    int last = lines.size() - 1;
    int from = 0;
    while (from < last && misses(lines, from + 1) == misses(lines, 0)) {
      from++;
    }
    int to = last;
    while (to > from && misses(lines, to - 1) == misses(lines, last)) {
      to--;
    }
    return between(lines.get(from), lines.get(to));
  }

  private static long misses(List<MetricsLine> lines, int second) {
    return lines.get(second).value(MISSES);
  }

  /** Between two moments as they are. */
  static PageCounts between(MetricsLine before, MetricsLine after) {
    long missed = grown(before, after, MISSES);
    long cachingMissed = grown(before, after, CACHING_MISSES);
    return new PageCounts(
        after.millis() - before.millis(),
        missed + grown(before, after, HITS),
        missed,
        cachingMissed + grown(before, after, CACHING_HITS),
        cachingMissed,
        grown(before, after, BYTES));
  }

  private static long grown(MetricsLine before, MetricsLine after, String name) {
    return after.value(name) - before.value(name);
  }
}
