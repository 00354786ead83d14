package org.grampus.server.assignment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.FSTableDescriptors;
import org.grampus.engine.EngineConfig;
import org.grampus.engine.NativeEngine;
import org.grampus.server.cluster.MasterLink;
import org.grampus.server.cluster.TransitionReporter;
import org.grampus.server.cluster.TransitionReporter.Origin;
import org.grampus.server.region.LocalRegion;
import org.grampus.server.region.RegionFiles;
import org.grampus.server.region.RegionOpener;
import org.grampus.server.region.RegionRegistry;
import org.grampus.server.testkit.CapturedLog;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Regions of a server whose master has gone. */
class RegionLifecycleTest {
  private static final ServerName SELF = ServerName.valueOf("host", 1, 2);
  private static final TableName TABLE = TableName.valueOf("t");
  private static final RegionInfo REGION = RegionInfoBuilder.newBuilder(TABLE).build();
  private static final long WAIT_SECONDS = 60;

  @TempDir private Path root;

  private final AtomicReference<String> fatal = new AtomicReference<>();
  private final RegionRegistry registry = new RegionRegistry(() -> SELF);
  private RegionFiles files;
  private NativeEngine engine;
  private MasterLink master;
  private RegionLifecycle lifecycle;

  @BeforeEach
  void start() throws IOException {
    Configuration conf = HBaseConfiguration.create();
    conf.set(HConstants.HBASE_DIR, root.toUri().toString());
    files = new RegionFiles(conf);
    new FSTableDescriptors(files.fileSystem(), files.root(), false, false)
        .update(
            TableDescriptorBuilder.newBuilder(TABLE)
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
                .build());
    engine = NativeEngine.open(EngineConfig.DEFAULTS);
    LocalRegion.startLogs(engine, root);
    master = new MasterLink(conf, Optional::empty, "cluster");
    lifecycle =
        new RegionLifecycle(
            new RegionOpener(conf, engine, files),
            registry,
            new TransitionReporter(master, SELF),
            (why, cause) -> fatal.compareAndSet(null, why),
            offline -> {});
  }

  @AfterEach
  void stop() throws IOException {
    engine.close();
    files.close();
    assertNull(fatal.get());
  }

  private void open() {
    try {
      lifecycle.open(REGION, new Origin(1, 1));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  @Timeout(WAIT_SECONDS)
  void aStopClosesARegionWhoseOpenNoMasterHasHeardOf() throws Exception {
    try (CapturedLog log = CapturedLog.of(MasterLink.class.getName())) {
      Thread opening = new Thread(this::open);
      opening.start();
      while (log.lines().stream().noneMatch(line -> line.contains("was not answered"))) {
        Thread.onSpinWait();
      }
      assertEquals(1, engine.regionStats().size());
      master.close();
      opening.join();
    }
    assertTrue(lifecycle.closeAll());
    assertEquals(0, engine.regionStats().size());
  }
}
