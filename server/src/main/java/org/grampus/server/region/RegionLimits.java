package org.grampus.server.region;

import com.google.gson.JsonObject;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;

/**
 * What a region allows: {@code limits} of the engine's {@code openRegion}, from the keys that
 * HBase's HRegion reads, with HBase's defaults.
 */
final class RegionLimits {
  private static final int ROW_LOCK_WAIT_MILLIS = 30_000;
  private static final long FLUSH_INTERVAL_MILLIS = 60 * 60 * 1000L;
  private static final long CELL_BYTES = 10L << 20;

  private RegionLimits() {}

  /** The limits from a region's configuration, which holds the table's values. */
  static JsonObject json(Configuration conf) {
    JsonObject json = new JsonObject();
    json.addProperty(
        "maxCellBytes",
        Math.max(0, conf.getLongBytes("hbase.server.keyvalue.maxsize", CELL_BYTES)));
    json.addProperty("rowLockWaitMillis", rowLockWait(conf));
    json.addProperty(
        "flushIntervalMillis",
        conf.getLong("hbase.regionserver.optionalcacheflushinterval", FLUSH_INTERVAL_MILLIS));
    long slop =
        conf.getLong(
            "hbase.hregion.keyvalue.timestamp.slop.millisecs", HConstants.LATEST_TIMESTAMP);
    if (slop != HConstants.LATEST_TIMESTAMP) {
      json.addProperty("timestampSlopMillis", slop);
    }
    return json;
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
