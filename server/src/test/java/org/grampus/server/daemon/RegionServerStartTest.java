package org.grampus.server.daemon;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ClusterId;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.zookeeper.ClusterStatusTracker;
import org.apache.hadoop.hbase.zookeeper.MasterAddressTracker;
import org.apache.hadoop.hbase.zookeeper.ZKClusterId;
import org.apache.hadoop.hbase.zookeeper.ZKWatcher;
import org.grampus.server.cluster.Registration;
import org.grampus.server.master.EmbeddedZooKeeper;
import org.grampus.server.testkit.CapturedLog;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Stops of a region server that no master has taken yet. */
@Timeout(120)
class RegionServerStartTest {
  private static final long WAIT_SECONDS = 60;

  @TempDir Path directory;
  private final ExecutorService starter = Executors.newSingleThreadExecutor();
  private final AtomicReference<String> fatal = new AtomicReference<>();
  private final StopRequest stop = new StopRequest();
  private EmbeddedZooKeeper zooKeeper;

  /** The master's session. */
  private ZKWatcher master;

  private ClusterStatusTracker running;
  private RegionServer server;

  @BeforeEach
  void start() throws Exception {
    Configuration conf = HBaseConfiguration.create();
    conf.set(HConstants.ZOOKEEPER_DATA_DIR, directory.resolve("zookeeper").toString());
    conf.setInt(HConstants.ZOOKEEPER_CLIENT_PORT, 0);
    zooKeeper = EmbeddedZooKeeper.start(conf);
    conf.set(HConstants.ZOOKEEPER_QUORUM, "127.0.0.1");
    conf.setInt(HConstants.ZOOKEEPER_CLIENT_PORT, zooKeeper.port());
    conf.set(HConstants.HBASE_DIR, directory.resolve("root").toUri().toString());
    conf.set("hbase.regionserver.hostname", "127.0.0.1");
    conf.setInt(HConstants.REGIONSERVER_PORT, 0);
    conf.setInt(HConstants.REGIONSERVER_INFO_PORT, -1);
    master = new ZKWatcher(conf, "master", null, true);
    ZKClusterId.setClusterId(master, new ClusterId());
    running = new ClusterStatusTracker(master, null);
    running.setClusterUp(); // first, so that the server watches it
    server =
        new RegionServer(
            conf,
            EngineSettings.of(conf, MemoryBudget.from(conf)),
            (why, cause) -> fatal.compareAndSet(null, why),
            stop);
  }

  @AfterEach
  void stop() throws Exception {
    starter.shutdownNow();
    server.close(); // once more does nothing
    master.close();
    zooKeeper.close();
    assertNull(fatal.get());
  }

  /** The server gives up its start, and then closes as from any other stop. */
  private void assertStops(Future<Boolean> joined) throws Exception {
    assertFalse(joined.get(WAIT_SECONDS, TimeUnit.SECONDS));
    server.close();
  }

  private static void until(BooleanSupplier holds) {
    while (!holds.getAsBoolean()) {
      Thread.onSpinWait(); // the test has a time limit
    }
  }

  @Test
  void aStopIsHeardWhileNoMasterIsThere() throws Exception {
    Future<Boolean> joined = starter.submit(server::join);
    stop.make("asked by a signal");
    assertStops(joined);
  }

  /** An address of a master that has gone, as after the loss of all masters. */
  @Test
  void aStopIsHeardWhileNoMasterAnswers() throws Exception {
    try (CapturedLog log = CapturedLog.of(Registration.class.getName())) {
      assertTrue(
          MasterAddressTracker.setMasterAddress(
              master,
              master.getZNodePaths().masterAddressZNode,
              ServerName.valueOf("127.0.0.1", 1, 1),
              0));
      Future<Boolean> joined = starter.submit(server::join);
      until(() -> log.lines().stream().anyMatch(line -> line.contains("cannot be reached yet")));
      stop.make("asked by a signal");
      assertStops(joined);
    }
  }

  /** It must not wait for the next start of the cluster, and then obey. */
  @Test
  void theClustersShutdownIsHeardWhileNoMasterIsThere() throws Exception {
    Future<Boolean> joined = starter.submit(server::join);
    running.setClusterDown();
    assertStops(joined);
    assertEquals("the cluster is shut down", stop.await());
  }
}
