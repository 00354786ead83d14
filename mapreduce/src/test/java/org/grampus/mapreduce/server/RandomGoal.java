package org.grampus.mapreduce.server;

import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.mapreduce.TableInputFormatBase;
import org.grampus.mapreduce.keys.JobKeys;

/** How a job says which splits it wants, and how many, as chance has it. */
record RandomGoal(Way way, int amount) {
  /** The keys of docs/mapreduce.md. */
  private enum Way {
    TOTAL,
    BYTES,
    PER_SERVER,
    PER_REGION
  }

  private static final int MOST = 12;

  static RandomGoal of(Random random) {
    return new RandomGoal(
        Way.values()[random.nextInt(Way.values().length)], 1 + random.nextInt(MOST));
  }

  /**
   * Sets the key.
   *
   * @param bytes of the table, of which a split by bytes is a part
   */
  void set(Configuration conf, long bytes) {
    switch (way) {
      case TOTAL -> conf.setInt(JobKeys.SPLITS, amount);
      case BYTES -> conf.setLong(JobKeys.SPLIT_BYTES, Math.max(1, bytes / amount));
      case PER_SERVER -> conf.setInt(JobKeys.SPLITS_PER_SERVER, amount);
      case PER_REGION -> {
        conf.setInt(TableInputFormatBase.NUM_MAPPERS_PER_REGION, amount);
        conf.setInt("hbase.mapreduce.splits.per.region", amount);
      }
    }
  }

  /** Whether splits go over the ends of regions, so that all of them may be equal. */
  boolean joinsRegions() {
    return way != Way.PER_REGION;
  }

  /** Whether this number of splits of a table in one place is the one that is wanted. */
  boolean allows(int splits) {
    return switch (way) {
      case TOTAL, PER_SERVER, PER_REGION -> splits == amount;
      case BYTES -> splits >= amount * 0.7 && splits <= amount * 1.3 + 1;
    };
  }
}
