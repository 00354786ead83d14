package org.grampus.server.metrics;

import static org.apache.hadoop.hbase.regionserver.MetricsRegionServerSource.*;

import org.apache.hadoop.hbase.metrics.Interns;
import org.apache.hadoop.metrics2.MetricsInfo;
import org.apache.hadoop.metrics2.MetricsRecordBuilder;
import org.grampus.engine.EngineMetrics;

/**
 * The block cache under HBase's names: the whole as {@code blockCache…}, memory as {@code l1Cache…}
 * and, where there is one, the second tier as {@code l2Cache…}. A page that is not in memory is
 * looked for in the second tier, so the misses of memory are the requests of the tier, and what the
 * whole has missed was read from a file.
 */
final class CacheNumbers {
  private static final double PERCENT = 100.0;
  private static final String MEMORY = "block_cache.";
  private static final String TIER = "block_cache_tier.";

  private final EngineMetrics numbers;
  private final boolean tiered;

  private CacheNumbers(EngineMetrics numbers) {
    this.numbers = numbers;
    this.tiered = numbers.has(TIER + "capacity_bytes");
  }

  static CacheNumbers of(EngineMetrics numbers) {
    return new CacheNumbers(numbers);
  }

  private long memory(String name) {
    return numbers.get(MEMORY + name);
  }

  /** 0 without a second tier. */
  private long tier(String name) {
    return tiered ? numbers.get(TIER + name) : 0;
  }

  /** Adds what there is. */
  void record(MetricsRecordBuilder record) {
    whole(record);
    first(record);
    if (tiered) {
      second(record);
    }
  }

  private void whole(MetricsRecordBuilder record) {
    long hits = memory("hit_count") + tier("hit_count");
    long hitsCaching = memory("hit_caching_count") + tier("hit_caching_count");
    // Read from files: what memory missed less what the tier had.
    long misses = memory("miss_count") - tier("hit_count");
    long missesCaching = memory("miss_caching_count") - tier("hit_caching_count");
    long used = memory("used_bytes") + tier("used_bytes");
    long capacity = memory("capacity_bytes") + tier("capacity_bytes");
    long pages = memory("page_count") + tier("page_count");
    record
        .addGauge(info(BLOCK_CACHE_FREE_SIZE, BLOCK_CACHE_FREE_DESC), capacity - used)
        .addGauge(info(BLOCK_CACHE_COUNT, BLOCK_CACHE_COUNT_DESC), pages)
        .addGauge(info(BLOCK_CACHE_SIZE, BLOCK_CACHE_SIZE_DESC), used)
        .addCounter(info(BLOCK_CACHE_HIT_COUNT, BLOCK_CACHE_HIT_COUNT_DESC), hits)
        .addCounter(
            info(BLOCK_CACHE_HIT_CACHING_COUNT, BLOCK_CACHE_HIT_CACHING_COUNT_DESC), hitsCaching)
        .addCounter(info(BLOCK_CACHE_MISS_COUNT, BLOCK_COUNT_MISS_COUNT_DESC), misses)
        .addCounter(
            info(BLOCK_CACHE_MISS_CACHING_COUNT, BLOCK_COUNT_MISS_CACHING_COUNT_DESC),
            missesCaching)
        .addCounter(
            info(BLOCK_CACHE_EVICTION_COUNT, BLOCK_CACHE_EVICTION_COUNT_DESC),
            memory("eviction_count") + tier("eviction_count"))
        .addGauge(
            info(BLOCK_CACHE_HIT_PERCENT, BLOCK_CACHE_HIT_PERCENT_DESC),
            PERCENT * ratio(hits, misses))
        .addGauge(
            info(BLOCK_CACHE_EXPRESS_HIT_PERCENT, BLOCK_CACHE_EXPRESS_HIT_PERCENT_DESC),
            PERCENT * ratio(hitsCaching, missesCaching));
  }

  private void first(MetricsRecordBuilder record) {
    long hits = memory("hit_count");
    long misses = memory("miss_count");
    long used = memory("used_bytes");
    record
        .addGauge(
            info(L1_CACHE_FREE_SIZE, L1_CACHE_FREE_SIZE_DESC), memory("capacity_bytes") - used)
        .addGauge(info(L1_CACHE_SIZE, L1_CACHE_SIZE_DESC), used)
        .addGauge(info(L1_CACHE_COUNT, L1_CACHE_COUNT_DESC), memory("page_count"))
        .addGauge(
            info(L1_CACHE_EVICTION_COUNT, L1_CACHE_EVICTION_COUNT_DESC), memory("eviction_count"))
        .addGauge(info(L1_CACHE_HIT_COUNT, L1_CACHE_HIT_COUNT_DESC), hits)
        .addGauge(info(L1_CACHE_MISS_COUNT, L1_CACHE_MISS_COUNT_DESC), misses)
        .addGauge(info(L1_CACHE_HIT_RATIO, L1_CACHE_HIT_RATIO_DESC), ratio(hits, misses))
        .addGauge(info(L1_CACHE_MISS_RATIO, L1_CACHE_MISS_RATIO_DESC), ratio(misses, hits));
  }

  private void second(MetricsRecordBuilder record) {
    long hits = tier("hit_count");
    long misses = tier("miss_count");
    long used = tier("used_bytes");
    record
        .addGauge(info(L2_CACHE_FREE_SIZE, L2_CACHE_FREE_SIZE_DESC), tier("capacity_bytes") - used)
        .addGauge(info(L2_CACHE_SIZE, L2_CACHE_SIZE_DESC), used)
        .addGauge(info(L2_CACHE_COUNT, L2_CACHE_COUNT_DESC), tier("page_count"))
        .addGauge(
            info(L2_CACHE_EVICTION_COUNT, L2_CACHE_EVICTION_COUNT_DESC), tier("eviction_count"))
        .addGauge(info(L2_CACHE_HIT_COUNT, L2_CACHE_HIT_COUNT_DESC), hits)
        .addGauge(info(L2_CACHE_MISS_COUNT, L2_CACHE_MISS_COUNT_DESC), misses)
        .addGauge(info(L2_CACHE_HIT_RATIO, L2_CACHE_HIT_RATIO_DESC), ratio(hits, misses))
        .addGauge(info(L2_CACHE_MISS_RATIO, L2_CACHE_MISS_RATIO_DESC), ratio(misses, hits));
  }

  private static MetricsInfo info(String name, String description) {
    return Interns.info(name, description);
  }

  /** As HBase rounds it: 0 before the first request. */
  private static double ratio(long part, long rest) {
    return part + rest == 0 ? 0 : (double) part / (part + rest);
  }
}
