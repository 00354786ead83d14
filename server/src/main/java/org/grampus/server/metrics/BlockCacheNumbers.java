package org.grampus.server.metrics;

import java.util.function.Supplier;

/**
 * The numbers of the block cache in HBase's bean {@code sub=Server}: those of both tiers together
 * have the names without a number, L1 is memory and L2 the second tier.
 */
abstract class BlockCacheNumbers extends AbsentNumbers {
  static final double PERCENT = 100.0;

  private final Supplier<Snapshot> latest;

  BlockCacheNumbers(Supplier<Snapshot> latest) {
    this.latest = latest;
  }

  /** The latest snapshot. */
  final Snapshot now() {
    return latest.get();
  }

  private CacheNumbers cache() {
    return CacheNumbers.whole(now().engine());
  }

  private CacheNumbers memory() {
    return CacheNumbers.memory(now().engine());
  }

  private CacheNumbers tier() {
    return CacheNumbers.tier(now().engine());
  }

  @Override
  public long getBlockCacheFreeSize() {
    return cache().freeBytes();
  }

  @Override
  public long getBlockCacheCount() {
    return cache().pages();
  }

  @Override
  public long getBlockCacheDataBlockCount() {
    return cache().pages();
  }

  @Override
  public long getBlockCacheSize() {
    return cache().usedBytes();
  }

  @Override
  public long getBlockCacheHitCount() {
    return cache().hits();
  }

  @Override
  public long getBlockCachePrimaryHitCount() {
    return cache().hits();
  }

  @Override
  public long getBlockCacheHitCachingCount() {
    return cache().hitsCaching();
  }

  @Override
  public long getBlockCacheMissCount() {
    return cache().misses();
  }

  @Override
  public long getBlockCachePrimaryMissCount() {
    return cache().misses();
  }

  @Override
  public long getBlockCacheMissCachingCount() {
    return cache().missesCaching();
  }

  @Override
  public long getBlockCacheEvictedCount() {
    return cache().evictions();
  }

  @Override
  public long getBlockCachePrimaryEvictedCount() {
    return cache().evictions();
  }

  @Override
  public double getBlockCacheHitPercent() {
    return PERCENT * cache().hitRatio();
  }

  @Override
  public double getBlockCacheHitCachingPercent() {
    return PERCENT * cache().hitRatioCaching();
  }

  @Override
  public long getL1CacheSize() {
    return memory().usedBytes();
  }

  @Override
  public long getL1CacheFreeSize() {
    return memory().freeBytes();
  }

  @Override
  public long getL1CacheCount() {
    return memory().pages();
  }

  @Override
  public long getL1CacheEvictedCount() {
    return memory().evictions();
  }

  @Override
  public long getL1CacheHitCount() {
    return memory().hits();
  }

  @Override
  public long getL1CacheMissCount() {
    return memory().misses();
  }

  @Override
  public double getL1CacheHitRatio() {
    return memory().hitRatio();
  }

  @Override
  public double getL1CacheMissRatio() {
    return memory().missRatio();
  }

  @Override
  public long getL2CacheSize() {
    return tier().usedBytes();
  }

  @Override
  public long getL2CacheFreeSize() {
    return tier().freeBytes();
  }

  @Override
  public long getL2CacheCount() {
    return tier().pages();
  }

  @Override
  public long getL2CacheEvictedCount() {
    return tier().evictions();
  }

  @Override
  public long getL2CacheHitCount() {
    return tier().hits();
  }

  @Override
  public long getL2CacheMissCount() {
    return tier().misses();
  }

  @Override
  public double getL2CacheHitRatio() {
    return tier().hitRatio();
  }

  @Override
  public double getL2CacheMissRatio() {
    return tier().missRatio();
  }
}
