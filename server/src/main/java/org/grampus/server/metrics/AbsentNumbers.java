package org.grampus.server.metrics;

import java.util.List;
import org.apache.hadoop.hbase.regionserver.MetricsRegionServerWrapper;

/**
 * What HBase's bean {@code sub=Server} has and this server has not: cells outside of their files
 * (MOB), hedged reads, pages counted by type and the like. All of it is 0, so that what reads the
 * bean finds every name.
 */
abstract class AbsentNumbers implements MetricsRegionServerWrapper {
  @Override
  public List<String> getWALExcludeDNs() {
    return List.of();
  }

  @Override
  public long getOnHeapMemStoreSize() {
    return 0;
  }

  @Override
  public long getNumMutationsWithoutWAL() {
    return 0;
  }

  @Override
  public long getDataInMemoryWithoutWAL() {
    return 0;
  }

  @Override
  public double getPercentFileLocalSecondaryRegions() {
    return 0;
  }

  @Override
  public int getSplitQueueSize() {
    return 0;
  }

  @Override
  public long getOnHeapMemStoreLimit() {
    return 0;
  }

  @Override
  public long getBlockCacheFailedInsertions() {
    return 0;
  }

  @Override
  public long getUpdatesBlockedTime() {
    return 0;
  }

  @Override
  public long getCellsCountCompactedToMob() {
    return 0;
  }

  @Override
  public long getCellsCountCompactedFromMob() {
    return 0;
  }

  @Override
  public long getCellsSizeCompactedToMob() {
    return 0;
  }

  @Override
  public long getCellsSizeCompactedFromMob() {
    return 0;
  }

  @Override
  public long getMobFlushCount() {
    return 0;
  }

  @Override
  public long getMobFlushedCellsCount() {
    return 0;
  }

  @Override
  public long getMobFlushedCellsSize() {
    return 0;
  }

  @Override
  public long getMobScanCellsCount() {
    return 0;
  }

  @Override
  public long getMobScanCellsSize() {
    return 0;
  }

  @Override
  public long getMobFileCacheAccessCount() {
    return 0;
  }

  @Override
  public long getMobFileCacheMissCount() {
    return 0;
  }

  @Override
  public long getMobFileCacheEvictedCount() {
    return 0;
  }

  @Override
  public long getMobFileCacheCount() {
    return 0;
  }

  @Override
  public double getMobFileCacheHitPercent() {
    return 0;
  }

  @Override
  public long getHedgedReadOps() {
    return 0;
  }

  @Override
  public long getHedgedReadWins() {
    return 0;
  }

  @Override
  public long getHedgedReadOpsInCurThread() {
    return 0;
  }

  @Override
  public long getShortCircuitBytesRead() {
    return 0;
  }

  @Override
  public long getZeroCopyBytesRead() {
    return 0;
  }

  @Override
  public long getDataMissCount() {
    return 0;
  }

  @Override
  public long getLeafIndexMissCount() {
    return 0;
  }

  @Override
  public long getBloomChunkMissCount() {
    return 0;
  }

  @Override
  public long getMetaMissCount() {
    return 0;
  }

  @Override
  public long getRootIndexMissCount() {
    return 0;
  }

  @Override
  public long getIntermediateIndexMissCount() {
    return 0;
  }

  @Override
  public long getFileInfoMissCount() {
    return 0;
  }

  @Override
  public long getGeneralBloomMetaMissCount() {
    return 0;
  }

  @Override
  public long getDeleteFamilyBloomMissCount() {
    return 0;
  }

  @Override
  public long getTrailerMissCount() {
    return 0;
  }

  @Override
  public long getDataHitCount() {
    return 0;
  }

  @Override
  public long getLeafIndexHitCount() {
    return 0;
  }

  @Override
  public long getBloomChunkHitCount() {
    return 0;
  }

  @Override
  public long getMetaHitCount() {
    return 0;
  }

  @Override
  public long getRootIndexHitCount() {
    return 0;
  }

  @Override
  public long getIntermediateIndexHitCount() {
    return 0;
  }

  @Override
  public long getFileInfoHitCount() {
    return 0;
  }

  @Override
  public long getGeneralBloomMetaHitCount() {
    return 0;
  }

  @Override
  public long getDeleteFamilyBloomHitCount() {
    return 0;
  }

  @Override
  public long getTrailerHitCount() {
    return 0;
  }

  @Override
  public long getByteBuffAllocatorHeapAllocationBytes() {
    return 0;
  }

  @Override
  public long getByteBuffAllocatorPoolAllocationBytes() {
    return 0;
  }

  @Override
  public double getByteBuffAllocatorHeapAllocRatio() {
    return 0;
  }

  @Override
  public long getByteBuffAllocatorTotalBufferCount() {
    return 0;
  }

  @Override
  public long getByteBuffAllocatorUsedBufferCount() {
    return 0;
  }
}
