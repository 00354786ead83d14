package org.grampus.server.info;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.ServerName;
import org.grampus.engine.EngineConfig;
import org.grampus.engine.EngineMetrics;
import org.grampus.engine.NativeEngine;
import org.grampus.server.memory.MemoryAccount;
import org.grampus.server.metrics.CallMetrics;
import org.grampus.server.metrics.Identity;
import org.grampus.server.metrics.PublishedMetrics;
import org.grampus.server.metrics.Snapshot;
import org.grampus.server.region.LocalRegion;
import org.grampus.server.region.RegionRegistry;
import org.grampus.server.service.ClientServiceConfig;
import org.grampus.server.service.ScannerRegistry;
import org.grampus.server.slowlog.SlowLog;
import org.grampus.server.testkit.EngineNumbers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StatusPageTest {
  private static final ServerName SERVER = ServerName.valueOf("localhost", 16020, 1);

  private final Configuration conf = HBaseConfiguration.create();
  private final MemoryAccount memory = new MemoryAccount(1, 1, 1);
  private final Identity identity = new Identity(SERVER::toString, () -> "cluster", "zk:2181", 17);
  @TempDir private Path directory;

  /** The page of a server that has just started, but for one number of the engine. */
  private String page(String name, long value) {
    conf.setInt(HConstants.REGIONSERVER_METRICS_PERIOD, Integer.MAX_VALUE);
    RegionRegistry registry = new RegionRegistry(() -> SERVER);
    try (NativeEngine engine = NativeEngine.open(EngineConfig.DEFAULTS);
        CallMetrics calls = CallMetrics.open();
        ScannerRegistry scanners =
            new ScannerRegistry(SERVER, registry, ClientServiceConfig.from(conf), memory)) {
      LocalRegion.startLogs(engine, directory);
      try (PublishedMetrics metrics =
          PublishedMetrics.open(
              conf,
              identity,
              new PublishedMetrics.Parts(engine, registry, scanners, memory, calls, true))) {
        return new StatusPage(source(changed(metrics.latest(), name, value))).render();
      }
    }
  }

  private static Snapshot changed(Snapshot now, String name, long value) {
    EngineMetrics engine = EngineNumbers.with(now.engine(), name, value);
    return new Snapshot(
        engine, now.regions(), now.totals(), 0, 0, 0, 0, 0, now.millis(), now.nanos());
  }

  private StatusSource source(Snapshot now) {
    return new StatusSource(
        identity,
        () -> now,
        memory,
        new SlowLog(conf),
        new RecentEvents(),
        () -> true,
        () -> false);
  }

  /** Fifty major compactions of small stores are fifty small ones. */
  @Test
  void compactionsWaitByTheirSize() {
    String page = page("compaction.small_queue_length", 50);
    String empty = "<td></td>".repeat(4);
    assertTrue(
        page.contains("<td>small compactions</td>" + empty + "<td class=\"number\">50</td>"), page);
    assertTrue(
        page.contains("<td>large compactions</td>" + empty + "<td class=\"number\">0</td>"), page);
  }
}
