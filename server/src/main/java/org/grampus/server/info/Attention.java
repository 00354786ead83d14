package org.grampus.server.info;

import java.util.ArrayList;
import java.util.List;
import org.grampus.engine.EngineMetrics;

/** What of the engine's numbers an operator should look at; the texts say what it means. */
final class Attention {
  /** From here on writes are slowed down. */
  private static final double NEARLY_FULL = 0.85;

  private Attention() {}

  /**
   * The needs of a server.
   *
   * @param fenced whether writes are refused for want of contact with ZooKeeper
   */
  static List<String> of(EngineMetrics engine, boolean fenced) {
    List<String> needs = new ArrayList<>();
    if (fenced) {
      needs.add("no contact with ZooKeeper: writes are refused");
    }
    count(
        needs,
        engine.get("wal_split.left_out_parts"),
        "unreadable parts of logs left out, acknowledged edits in them lost,");
    memtables(needs, engine);
    work(needs, engine);
    logs(needs, engine);
    count(needs, engine.get("large_reads.refused_count"), "reads of large cells found no memory");
    count(needs, engine.get("clock.set_back"), "times the wall clock was set back");
    if (engine.has("block_cache_tier.failed_path_count")) {
      count(needs, engine.get("block_cache_tier.failed_path_count"), "paths of the cache failed");
    }
    return needs;
  }

  private static void memtables(List<String> needs, EngineMetrics engine) {
    long memtables = engine.get("memstore.bytes");
    if (memtables > NEARLY_FULL * engine.get("memstore.limit_bytes")) {
      needs.add("memtables are nearly full: writes are slowed down");
    }
    count(needs, engine.get("memstore.stalls"), "times writes were slowed down or refused");
    count(
        needs,
        engine.get("memstore.delayed_writes"),
        "writes delayed, by full memtables or many files,");
    count(needs, engine.get("memstore.refused_writes"), "writes refused, memtables were full");
  }

  private static void work(List<String> needs, EngineMetrics engine) {
    count(needs, engine.get("flush.failed_count"), "flushes failed");
    count(needs, engine.get("load.failed_count"), "bulk loads failed");
    count(needs, engine.get("compaction.failed_count"), "compactions failed");
    count(needs, engine.get("compaction.damaged_inputs"), "files that compactions cannot read");
    count(needs, engine.get("compaction.large_row_inputs"), "files left alone for a large row");
    count(needs, engine.get("maintenance.panics"), "panics of background work: please report");
  }

  private static void logs(List<String> needs, EngineMetrics engine) {
    count(needs, engine.ofLogs("failed_writes"), "writes to the log failed");
    count(needs, engine.ofLogs("failed_syncs"), "syncs of the log failed");
    count(needs, engine.ofLogs("failed_rolls"), "rotations of the log failed");
    count(needs, engine.ofLogs("failed_archives"), "log segments could not be archived");
  }

  private static void count(List<String> needs, long count, String what) {
    if (count > 0) {
      needs.add(count + " " + what + " since the start");
    }
  }
}
