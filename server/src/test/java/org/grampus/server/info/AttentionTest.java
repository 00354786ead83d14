package org.grampus.server.info;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import org.grampus.engine.EngineConfig;
import org.grampus.engine.EngineMetrics;
import org.grampus.engine.NativeEngine;
import org.grampus.server.region.LocalRegion;
import org.grampus.server.testkit.EngineNumbers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AttentionTest {
  /** What never rises on a server that is well. */
  private static final List<String> TROUBLES =
      List.of(
          "wal_split.left_out_parts",
          "memstore.stalls",
          "memstore.delayed_writes",
          "memstore.refused_writes",
          "flush.failed_count",
          "load.failed_count",
          "compaction.failed_count",
          "compaction.damaged_inputs",
          "compaction.large_row_inputs",
          "maintenance.panics",
          "wal.failed_writes",
          "meta_wal.failed_syncs",
          "wal.failed_rolls",
          "wal.failed_archives",
          "large_reads.refused_count",
          "clock.set_back");

  @TempDir private Path directory;

  /** The numbers of an engine that has just started its logs, but for one. */
  private EngineMetrics with(String name, long value) {
    try (NativeEngine engine = NativeEngine.open(EngineConfig.DEFAULTS)) {
      LocalRegion.startLogs(engine, directory.resolve(name));
      return EngineNumbers.with(engine.metrics(0), name, value);
    }
  }

  @Test
  void aServerThatIsWellNeedsNothing() {
    assertEquals(List.of(), Attention.of(with("regions", 0), false));
  }

  @Test
  void eachTroubleIsALine() {
    for (String trouble : TROUBLES) {
      List<String> needs = Attention.of(with(trouble, 4711), false);
      assertEquals(1, needs.size(), trouble);
      assertTrue(needs.get(0).startsWith("4711 "), needs.get(0));
    }
  }

  @Test
  void refusedWritesComeFirst() {
    List<String> needs = Attention.of(with("wal_split.left_out_parts", 1), true);
    assertEquals("no contact with ZooKeeper: writes are refused", needs.get(0));
    assertEquals(
        "1 unreadable parts of logs left out, acknowledged edits in them lost, since the start",
        needs.get(1));
  }
}
