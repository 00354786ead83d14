package org.grampus.server.region;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.grampus.engine.RegionDescription;

/** What a region allows, from the keys that HBase's HRegion reads, with HBase's defaults. */
final class RegionLimits {
  private static final int ROW_LOCK_WAIT_MILLIS = 30_000;
  private static final long FLUSH_INTERVAL_MILLIS = 60 * 60 * 1000L;
  private static final long CELL_BYTES = 10L << 20;

  private RegionLimits() {}

  /** The limits from a region's configuration, which holds the table's values. */
  static RegionDescription.Limits of(Configuration conf) {
    long slop =
        conf.getLong(
            "hbase.hregion.keyvalue.timestamp.slop.millisecs", HConstants.LATEST_TIMESTAMP);
    return new RegionDescription.Limits(
        Math.max(0, conf.getLongBytes("hbase.server.keyvalue.maxsize", CELL_BYTES)),
        rowLockWait(conf),
        conf.getLong("hbase.regionserver.optionalcacheflushinterval", FLUSH_INTERVAL_MILLIS),
        slop == HConstants.LATEST_TIMESTAMP ? null : Long.valueOf(slop));
  }

  private static int rowLockWait(Configuration conf) {
    int millis = conf.getInt("hbase.rowlock.wait.duration", ROW_LOCK_WAIT_MILLIS);
    if (millis <= 0) {
      throw new IllegalArgumentException(
          "hbase.rowlock.wait.duration must be positive, not " + millis);
    }
    return millis;
  }
}
