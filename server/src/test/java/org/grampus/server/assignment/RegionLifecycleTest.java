package org.grampus.server.assignment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.FSTableDescriptors;
import org.grampus.engine.EngineConfig;
import org.grampus.engine.EngineException;
import org.grampus.engine.ErrorKind;
import org.grampus.engine.NativeEngine;
import org.grampus.server.cluster.MasterLink;
import org.grampus.server.cluster.TransitionReporter;
import org.grampus.server.cluster.TransitionReporter.Origin;
import org.grampus.server.region.LocalRegion;
import org.grampus.server.region.OnlineRegion;
import org.grampus.server.region.RegionFiles;
import org.grampus.server.region.RegionOpener;
import org.grampus.server.region.RegionRegistry;
import org.grampus.server.testkit.CapturedLog;
import org.grampus.server.testkit.DelegatingRegion;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Regions of a server whose master has gone, and those of one that stops. */
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
    assertTrue(lifecycle.closeAll(1));
    assertEquals(0, engine.regionStats().size());
  }

  /** A region that is closed by the steps of a test. */
  private OnlineRegion online(TableName table, Runnable close) {
    TableDescriptor descriptor =
        TableDescriptorBuilder.newBuilder(table)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
            .build();
    RegionInfo info =
        table.equals(TableName.META_TABLE_NAME)
            ? RegionInfoBuilder.FIRST_META_REGIONINFO
            : RegionInfoBuilder.newBuilder(table).build();
    OnlineRegion region =
        new OnlineRegion(
            info,
            descriptor,
            new DelegatingRegion(null) {
              @Override
              public void close(boolean abort) {
                close.run();
              }
            },
            1);
    registry.add(region);
    return region;
  }

  private static void await(CyclicBarrier barrier) {
    try {
      barrier.await();
    } catch (InterruptedException | BrokenBarrierException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  @Timeout(WAIT_SECONDS)
  void aStopClosesRegionsBesideEachOtherAndMetaLast() throws Exception {
    CyclicBarrier together = new CyclicBarrier(3);
    AtomicInteger closed = new AtomicInteger();
    AtomicInteger beforeMeta = new AtomicInteger();
    online(TableName.META_TABLE_NAME, () -> beforeMeta.set(closed.get()));
    for (int i = 0; i < 6; i++) {
      online(
          TableName.valueOf("t" + i),
          () -> {
            await(together);
            closed.incrementAndGet();
          });
    }
    assertTrue(lifecycle.closeAll(3));
    assertEquals(6, beforeMeta.get());
    assertEquals(0, registry.size());
  }

  @Test
  @Timeout(WAIT_SECONDS)
  void aRegionThatCannotBeClosedKeepsNoOtherOneOpen() throws Exception {
    AtomicInteger closed = new AtomicInteger();
    online(TableName.META_TABLE_NAME, closed::incrementAndGet);
    for (int i = 0; i < 3; i++) {
      online(TableName.valueOf("t" + i), closed::incrementAndGet);
    }
    online(
        TableName.valueOf("full"),
        () -> {
          throw new EngineException(ErrorKind.IO, "disk full");
        });
    online(
        TableName.valueOf("broken"),
        () -> {
          throw new StackOverflowError();
        });
    assertFalse(lifecycle.closeAll(2));
    assertEquals(4, closed.get());
    assertEquals(0, registry.size());
  }
}
