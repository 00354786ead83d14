package org.grampus.server.daemon;

import static org.apache.hadoop.hbase.regionserver.throttle.PressureAwareCompactionThroughputController.HBASE_HSTORE_COMPACTION_MAX_THROUGHPUT_HIGHER_BOUND;
import static org.apache.hadoop.hbase.regionserver.throttle.PressureAwareCompactionThroughputController.HBASE_HSTORE_COMPACTION_MAX_THROUGHPUT_LOWER_BOUND;

import com.google.gson.JsonObject;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.regionserver.throttle.CompactionThroughputControllerFactory;
import org.apache.hadoop.hbase.wal.WALSplitter;
import org.grampus.compat.filter.pattern.MatchLimits;
import org.grampus.server.rpc.RunningCall;

/**
 * The engine's configuration (docs/jni.md, {@code open}) from HBase's keys. Those of which a table
 * may have values of its own are in RegionRequest.
 */
final class EngineSettings {
  private static final long BLOCKING_WAIT_MILLIS = 90_000;
  private static final long PATTERN_TIMEOUT_MILLIS = 5_000;

  // HBase's defaults, which its class keeps to itself.
  private static final long LOWER_BOUND = 50L << 20;
  private static final long HIGHER_BOUND = 100L << 20;

  /** A compaction collects no larger row in memory. */
  static final String COMPACTION_ROW_MAX = "grampus.compaction.row.max";

  private EngineSettings() {}

  static String json(Configuration conf, MemoryBudget memory) throws StartupException {
    JsonObject json = new JsonObject();
    json.addProperty("memtableBytes", memory.memstore());
    json.addProperty("blockCacheBytes", memory.blockCache());
    json.addProperty("largeReadBytes", memory.limits().largeReads());
    CacheTier.from(conf).ifPresent(tier -> json.add("blockCacheTier", tier.json()));
    json.addProperty(
        "walSegmentBytes", conf.getLongBytes("hbase.regionserver.hlog.blocksize", 128L << 20));
    json.addProperty("walSync", conf.getBoolean("hbase.wal.hsync", false) ? "fsync" : "flush");
    json.addProperty(
        "walSplitSkipErrors",
        conf.getBoolean(WALSplitter.SPLIT_SKIP_ERRORS_KEY, WALSplitter.SPLIT_SKIP_ERRORS_DEFAULT));
    if (Settings.isSet(conf, HConstants.HREGION_MEMSTORE_FLUSH_SIZE)) {
      json.addProperty(
          "regionFlushBytes",
          conf.getLongBytes(HConstants.HREGION_MEMSTORE_FLUSH_SIZE, 128L << 20));
    }
    json.addProperty(
        "maxRowBytes", Math.max(conf.getLongBytes("hbase.table.max.rowsize", 1L << 30), 0));
    json.addProperty("flushThreads", conf.getInt("hbase.hstore.flusher.count", 2));
    addCompactions(json, conf);
    json.addProperty(
        "nonceTtlMillis", conf.getLong("hbase.server.hashNonce.gracePeriod", 30 * 60 * 1000L));
    return json.toString();
  }

  /** When the search for a pattern is given up. */
  static MatchLimits matchLimits(Configuration conf) {
    long millis = conf.getLong("grampus.pattern.timeout.ms", PATTERN_TIMEOUT_MILLIS);
    if (millis <= 0) {
      throw new IllegalArgumentException(
          "grampus.pattern.timeout.ms must be positive, not " + millis);
    }
    return new MatchLimits(millis, RunningCall::isAbandoned);
  }

  /** What concerns the compactions of all stores; see FamilyCompaction for the rest. */
  private static void addCompactions(JsonObject json, Configuration conf) {
    json.addProperty(
        "smallCompactionThreads", conf.getInt("hbase.regionserver.thread.compaction.small", 1));
    json.addProperty(
        "largeCompactionThreads",
        Math.max(1, conf.getInt("hbase.regionserver.thread.compaction.large", 1)));
    json.addProperty("compactions", conf.getBoolean("hbase.regionserver.compaction.enabled", true));
    json.addProperty(
        "blockingWaitMillis", conf.getLong("hbase.hstore.blockingWaitTime", BLOCKING_WAIT_MILLIS));
    long row = conf.getLongBytes(COMPACTION_ROW_MAX, 0);
    if (row > 0) {
      json.addProperty("compactionRowBytesMax", row);
    }
    String controller =
        conf.get(CompactionThroughputControllerFactory.HBASE_THROUGHPUT_CONTROLLER_KEY, "");
    if (!controller.endsWith("NoLimitThroughputController")) {
      json.addProperty(
          "compactionBytesPerSecond",
          conf.getLong(HBASE_HSTORE_COMPACTION_MAX_THROUGHPUT_LOWER_BOUND, LOWER_BOUND));
      json.addProperty(
          "compactionBytesPerSecondMax",
          conf.getLong(HBASE_HSTORE_COMPACTION_MAX_THROUGHPUT_HIGHER_BOUND, HIGHER_BOUND));
    }
  }
}
