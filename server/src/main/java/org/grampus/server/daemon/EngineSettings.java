package org.grampus.server.daemon;

import com.google.gson.JsonObject;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;

/** The engine's configuration (docs/jni.md, {@code open}) from HBase's keys. */
final class EngineSettings {
  private EngineSettings() {}

  static String json(Configuration conf, MemoryBudget memory) {
    JsonObject json = new JsonObject();
    json.addProperty("memstoreBytes", memory.memstore());
    json.addProperty("blockCacheBytes", memory.blockCache());
    json.addProperty(
        "walSegmentBytes", conf.getLongBytes("hbase.regionserver.hlog.blocksize", 128L << 20));
    json.addProperty("walSync", conf.getBoolean("hbase.wal.hsync", false) ? "fsync" : "flush");
    if (Settings.isSet(conf, HConstants.HREGION_MEMSTORE_FLUSH_SIZE)) {
      json.addProperty(
          "regionFlushBytes",
          conf.getLongBytes(HConstants.HREGION_MEMSTORE_FLUSH_SIZE, 128L << 20));
    }
    json.addProperty("maxCellBytes", conf.getLongBytes("hbase.server.keyvalue.maxsize", 10L << 20));
    json.addProperty("rowLockWaitMillis", conf.getInt("hbase.rowlock.wait.duration", 30_000));
    json.addProperty("workers", conf.getInt("grampus.engine.workers", 2));
    json.addProperty(
        "nonceTtlMillis", conf.getLong("hbase.server.hashNonce.gracePeriod", 30 * 60 * 1000L));
    json.addProperty(
        "flushIntervalMillis",
        conf.getLong("hbase.regionserver.optionalcacheflushinterval", 60 * 60 * 1000L));
    long slop =
        conf.getLong(
            "hbase.hregion.keyvalue.timestamp.slop.millisecs", HConstants.LATEST_TIMESTAMP);
    if (slop != HConstants.LATEST_TIMESTAMP) {
      json.addProperty("timestampSlopMillis", slop);
    }
    return json.toString();
  }
}
