package org.grampus.server.daemon;

import static org.apache.hadoop.hbase.regionserver.throttle.PressureAwareCompactionThroughputController.HBASE_HSTORE_COMPACTION_MAX_THROUGHPUT_HIGHER_BOUND;
import static org.apache.hadoop.hbase.regionserver.throttle.PressureAwareCompactionThroughputController.HBASE_HSTORE_COMPACTION_MAX_THROUGHPUT_LOWER_BOUND;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.regionserver.throttle.CompactionThroughputControllerFactory;
import org.apache.hadoop.hbase.wal.WALSplitter;
import org.grampus.compat.filter.pattern.MatchLimits;
import org.grampus.engine.EngineConfig;
import org.grampus.server.rpc.RunningCall;

/**
 * The engine's configuration from HBase's keys. Those of which a table may have values of its own
 * are in RegionRequest.
 */
final class EngineSettings {
  private static final long BLOCKING_WAIT_MILLIS = 90_000;

  // HBase's defaults, which its class keeps to itself.
  private static final long LOWER_BOUND = 50L << 20;
  private static final long HIGHER_BOUND = 100L << 20;

  /** A compaction collects no larger row in memory. */
  static final String COMPACTION_ROW_MAX = "grampus.compaction.row.max";

  /** All servers of the cluster run on one machine, whose death they share. */
  static final String ONE_MACHINE = "grampus.wal.one.machine";

  private EngineSettings() {}

  /** Of a standalone server. */
  static EngineConfig of(Configuration conf, MemoryBudget memory) throws StartupException {
    return of(conf, memory, EngineConfig.Sync.FLUSH);
  }

  /**
   * Of a server of a cluster. Its regions are opened elsewhere when its machine dies, which takes
   * along what only its own operating system had of a log.
   */
  static EngineConfig ofMember(Configuration conf, MemoryBudget memory) throws StartupException {
    boolean alone = conf.getBoolean(ONE_MACHINE, false);
    return of(conf, memory, alone ? EngineConfig.Sync.FLUSH : EngineConfig.Sync.MACHINE);
  }

  private static EngineConfig of(Configuration conf, MemoryBudget memory, EngineConfig.Sync sync)
      throws StartupException {
    return new EngineConfig(
        new EngineConfig.Memory(
            memory.memstore(),
            memory.blockCache(),
            memory.limits().largeReads(),
            CacheTier.from(conf).map(CacheTier::config).orElse(null)),
        wal(conf, sync),
        flushes(conf),
        compactions(conf),
        Math.max(conf.getLongBytes("hbase.table.max.rowsize", 1L << 30), 0),
        conf.getLong("hbase.server.hashNonce.gracePeriod", 30 * 60 * 1000L));
  }

  /** When the search for a pattern is given up. */
  static MatchLimits matchLimits(Configuration conf) {
    return MatchLimits.of(conf, RunningCall::searchTime, RunningCall::isAbandoned);
  }

  private static EngineConfig.Wal wal(Configuration conf, EngineConfig.Sync sync) {
    return new EngineConfig.Wal(
        conf.getLongBytes("hbase.regionserver.hlog.blocksize", 128L << 20),
        conf.getBoolean("hbase.wal.hsync", false) ? EngineConfig.Sync.FSYNC : sync,
        conf.getBoolean(WALSplitter.SPLIT_SKIP_ERRORS_KEY, WALSplitter.SPLIT_SKIP_ERRORS_DEFAULT));
  }

  private static EngineConfig.Flushes flushes(Configuration conf) {
    return new EngineConfig.Flushes(
        conf.getInt("hbase.hstore.flusher.count", 2),
        flushBytes(conf),
        conf.getLong("hbase.hstore.blockingWaitTime", BLOCKING_WAIT_MILLIS));
  }

  /** What a region's memtables hold before it is flushed; null without a size of an operator's. */
  static Long flushBytes(Configuration conf) {
    String key = HConstants.HREGION_MEMSTORE_FLUSH_SIZE;
    return Settings.isSet(conf, key) ? Long.valueOf(conf.getLongBytes(key, 0)) : null;
  }

  /** What concerns the compactions of all stores; see CompactionAdapter for the rest. */
  private static EngineConfig.Compactions compactions(Configuration conf) {
    long row = conf.getLongBytes(COMPACTION_ROW_MAX, 0);
    boolean limited =
        !conf.get(CompactionThroughputControllerFactory.HBASE_THROUGHPUT_CONTROLLER_KEY, "")
            .endsWith("NoLimitThroughputController");
    return new EngineConfig.Compactions(
        conf.getInt("hbase.regionserver.thread.compaction.small", 1),
        Math.max(1, conf.getInt("hbase.regionserver.thread.compaction.large", 1)),
        conf.getBoolean("hbase.regionserver.compaction.enabled", true),
        row > 0 ? Long.valueOf(row) : null,
        limited
            ? bound(conf, HBASE_HSTORE_COMPACTION_MAX_THROUGHPUT_LOWER_BOUND, LOWER_BOUND)
            : null,
        limited
            ? bound(conf, HBASE_HSTORE_COMPACTION_MAX_THROUGHPUT_HIGHER_BOUND, HIGHER_BOUND)
            : null);
  }

  private static Long bound(Configuration conf, String key, long otherwise) {
    return conf.getLong(key, otherwise);
  }
}
