package org.grampus.server.metrics;

import org.grampus.engine.EngineMetrics;

/**
 * A part of the block cache: memory, the second tier, or both together. A page that is not in
 * memory is looked for in the second tier, so the misses of memory are the requests of the tier,
 * and what the whole has missed was read from a file.
 */
record CacheNumbers(
    long pages,
    long usedBytes,
    long capacityBytes,
    long hits,
    long hitsCaching,
    long misses,
    long missesCaching,
    long evictions) {
  private static final CacheNumbers NONE = new CacheNumbers(0, 0, 0, 0, 0, 0, 0, 0);
  private static final String MEMORY = "block_cache.";
  private static final String TIER = "block_cache_tier.";

  /** What memory has. */
  static CacheNumbers memory(EngineMetrics numbers) {
    return of(numbers, MEMORY);
  }

  /** What the second tier has; all 0 without one. */
  static CacheNumbers tier(EngineMetrics numbers) {
    return numbers.has(TIER + "capacity_bytes") ? of(numbers, TIER) : NONE;
  }

  private static CacheNumbers of(EngineMetrics numbers, String part) {
    return new CacheNumbers(
        numbers.get(part + "page_count"),
        numbers.get(part + "used_bytes"),
        numbers.get(part + "capacity_bytes"),
        numbers.get(part + "hit_count"),
        numbers.get(part + "hit_caching_count"),
        numbers.get(part + "miss_count"),
        numbers.get(part + "miss_caching_count"),
        numbers.get(part + "eviction_count"));
  }

  /** Both together. */
  static CacheNumbers whole(EngineMetrics numbers) {
    CacheNumbers memory = memory(numbers);
    CacheNumbers tier = tier(numbers);
    return new CacheNumbers(
        memory.pages + tier.pages,
        memory.usedBytes + tier.usedBytes,
        memory.capacityBytes + tier.capacityBytes,
        memory.hits + tier.hits,
        memory.hitsCaching + tier.hitsCaching,
        numbers.get(MEMORY + "file_miss_count"),
        numbers.get(MEMORY + "file_miss_caching_count"),
        memory.evictions + tier.evictions);
  }

  long freeBytes() {
    return capacityBytes - usedBytes;
  }

  /** From 0 to 1; 0 before the first request, as in HBase. */
  double hitRatio() {
    return ratio(hits, misses);
  }

  double missRatio() {
    return ratio(misses, hits);
  }

  /** Of the reads that let pages into the cache. */
  double hitRatioCaching() {
    return ratio(hitsCaching, missesCaching);
  }

  private static double ratio(long part, long rest) {
    return part + rest == 0 ? 0 : (double) part / (part + rest);
  }
}
