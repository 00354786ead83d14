package org.grampus.server.region;

import org.apache.hadoop.hbase.HDFSBlocksDistribution;
import org.grampus.engine.RegionStats;

/**
 * How many bytes of a region's files, or of those of several, have a replica on the server's host.
 *
 * @param local bytes of blocks with a replica there
 * @param localOnSsd those of them whose replica is on an SSD, by what the name node says
 * @param total bytes of all blocks, each counted once
 */
public record BlockWeights(long local, long localOnSsd, long total) {
  /** What holds for a region on HDFS before its blocks are looked up, and without files. */
  public static final BlockWeights NONE = new BlockWeights(0, 0, 0);

  /** Those of a region; where its files are on local disks, all of its bytes are here. */
  public static BlockWeights of(OnlineRegion region, RegionStats stats) {
    BlockWeights found = region.blockWeights();
    return found != null
        ? found
        : new BlockWeights(stats.storeFileBytes(), 0, stats.storeFileBytes());
  }

  /**
   * Those of blocks, seen from a host.
   *
   * @param host as HBase's master compares it: a data node calls its own host the same
   */
  static BlockWeights onHost(HDFSBlocksDistribution blocks, String host) {
    return new BlockWeights(
        blocks.getBlocksLocalWeight(host),
        blocks.getBlocksLocalWithSsdWeight(host),
        blocks.getUniqueBlocksTotalWeight());
  }

  /** These and others. */
  public BlockWeights plus(BlockWeights others) {
    return new BlockWeights(
        local + others.local, localOnSsd + others.localOnSsd, total + others.total);
  }

  /** The part of the bytes that is local, from 0 to 1; 0 of none, as in HBase. */
  public double localPart() {
    return part(local);
  }

  /** The same of those on SSDs. */
  double localOnSsdPart() {
    return part(localOnSsd);
  }

  private double part(long bytes) {
    return total == 0 ? 0 : (double) bytes / total;
  }
}
