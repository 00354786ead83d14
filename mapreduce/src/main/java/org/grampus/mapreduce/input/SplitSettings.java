package org.grampus.mapreduce.input;

import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.mapreduce.TableInputFormatBase;
import org.grampus.mapreduce.keys.HBaseKeys;
import org.grampus.mapreduce.keys.JobKeys;
import org.grampus.mapreduce.settings.CheckedValues;

/** The keys by which a job says how many splits it wants. */
public final class SplitSettings {
  /** A snapshot's region with more bytes has several splits when nothing else is said. */
  private static final long SNAPSHOT_SPLIT_BYTES = 1L << 30;

  private static final long AVERAGE_MAX = 8L << 30;
  private static final long AVERAGE_MIN = 16L << 20;

  private SplitSettings() {}

  /** Whether a job over a table leaves the number of splits to the format. */
  public static boolean saysNothing(Configuration conf) {
    return Stream.of(
            JobKeys.SPLITS,
            JobKeys.SPLIT_BYTES,
            JobKeys.SPLITS_PER_SERVER,
            TableInputFormatBase.NUM_MAPPERS_PER_REGION,
            TableInputFormatBase.MAPREDUCE_INPUT_AUTOBALANCE)
        .allMatch(key -> conf.get(key) == null);
  }

  /** Whether the regions of a table are cut by the bytes that their servers say. */
  static boolean byBytes(Configuration conf) {
    return CheckedValues.bool(conf, JobKeys.SPLITS_BY_BYTES, true);
  }

  /**
   * What a job over a table wants; without a key, a split for each region.
   *
   * @param regions of the scan
   * @param bytes of these regions
   */
  public static SplitGoal ofTable(Configuration conf, int regions, long bytes) {
    SplitGoal own = own(conf, SplitGoal::perServer);
    if (own != null) {
      return own;
    }
    String perRegion = TableInputFormatBase.NUM_MAPPERS_PER_REGION;
    if (conf.get(perRegion) != null) {
      return SplitGoal.perRegion(CheckedValues.count(conf, perRegion));
    }
    if (CheckedValues.bool(conf, TableInputFormatBase.MAPREDUCE_INPUT_AUTOBALANCE, false)) {
      return balanced(
          regions, bytes, conf.getLong(TableInputFormatBase.MAX_AVERAGE_REGION_SIZE, AVERAGE_MAX));
    }
    return SplitGoal.perRegion(1);
  }

  /**
   * HBase's "autobalance": as many bytes as the average region has, or the most that is allowed.
   */
  static SplitGoal balanced(int regions, long bytes, long averageMax) {
    long average = Math.min(bytes / Math.max(1, regions), averageMax);
    return average < AVERAGE_MIN ? SplitGoal.perRegion(1) : SplitGoal.bytes(average);
  }

  /**
   * What a job over a snapshot wants.
   *
   * @param hosts that have some of the files' blocks
   */
  public static SplitGoal ofSnapshot(Configuration conf, int hosts) {
    // A file has blocks on several hosts, so that no rows are those of one.
    SplitGoal own = own(conf, splits -> ofHosts(splits, hosts));
    if (own != null) {
      return own;
    }
    int perRegion = CheckedValues.count(conf, HBaseKeys.SPLITS_PER_REGION, 1);
    return perRegion > 1
        ? SplitGoal.perRegion(perRegion)
        : SplitGoal.regionsUpTo(SNAPSHOT_SPLIT_BYTES);
  }

  private static SplitGoal ofHosts(int splits, int hosts) {
    long all = (long) splits * Math.max(1, hosts);
    return SplitGoal.total((int) Math.min(all, Integer.MAX_VALUE));
  }

  private static SplitGoal own(Configuration conf, IntFunction<SplitGoal> perServer) {
    long set =
        Stream.of(JobKeys.SPLITS, JobKeys.SPLIT_BYTES, JobKeys.SPLITS_PER_SERVER)
            .filter(key -> conf.get(key) != null)
            .count();
    if (set > 1) {
      throw new IllegalArgumentException(
          "set one of "
              + JobKeys.SPLITS
              + ", "
              + JobKeys.SPLIT_BYTES
              + " and "
              + JobKeys.SPLITS_PER_SERVER);
    }
    if (conf.get(JobKeys.SPLITS) != null) {
      return SplitGoal.total(CheckedValues.count(conf, JobKeys.SPLITS));
    }
    if (conf.get(JobKeys.SPLIT_BYTES) != null) {
      return SplitGoal.bytes(CheckedValues.bytes(conf, JobKeys.SPLIT_BYTES, 1));
    }
    return conf.get(JobKeys.SPLITS_PER_SERVER) == null
        ? null
        : perServer.apply(CheckedValues.count(conf, JobKeys.SPLITS_PER_SERVER));
  }
}
