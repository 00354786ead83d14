package org.grampus.server.daemon;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.grampus.engine.EngineConfig;
import org.grampus.server.cluster.FatalHandler;
import org.grampus.server.info.PageSettings;
import org.grampus.server.master.EmbeddedMaster;
import org.grampus.server.master.EmbeddedZooKeeper;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The whole of Grampus in one process: ZooKeeper, a stock HMaster and our region server on one
 * directory.
 */
final class Standalone implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Standalone.class);

  private static final Duration MASTER_STOP_MAX = Duration.ofSeconds(5);

  private final StandaloneDirectory directory;
  private final EmbeddedZooKeeper zooKeeper;
  private final EmbeddedMaster master;
  private final MasterWatch watch;
  private final RegionServer server;

  private Standalone(
      StandaloneDirectory directory,
      EmbeddedZooKeeper zooKeeper,
      EmbeddedMaster master,
      MasterWatch watch,
      RegionServer server) {
    this.directory = directory;
    this.zooKeeper = zooKeeper;
    this.master = master;
    this.watch = watch;
    this.server = server;
  }

  /** Starts everything and returns once clients are served, or a stop is requested. */
  static Standalone start(Configuration conf, Path data, FatalHandler fatal, StopRequest stop)
      throws StartupException, InterruptedException {
    Path root = StandaloneDirectory.rootOf(conf, data);
    StandaloneDefaults.apply(conf, root);
    // A URI would have %20 for a space, and Hadoop takes that for the name itself.
    conf.set(HConstants.HBASE_DIR, new org.apache.hadoop.fs.Path(root.toUri()).toString());
    conf.set("fs.defaultFS", "file:///");
    MemoryBudget memory = MemoryBudget.from(conf);
    EngineConfig settings = EngineSettings.of(conf, memory);
    checkPorts(conf);
    StandaloneDirectory directory = StandaloneDirectory.open(root);
    LOG.info(
        "memory: {} MB in total, {} MB for requests and replies, {} MB for memtables, {} MB for the"
            + " block cache",
        memory.total() >> 20,
        memory.limits().direct() >> 20,
        memory.memstore() >> 20,
        memory.blockCache() >> 20);
    try {
      EmbeddedZooKeeper zooKeeper = EmbeddedZooKeeper.start(conf);
      conf.setInt(HConstants.ZOOKEEPER_CLIENT_PORT, zooKeeper.port());
      EmbeddedMaster master =
          EmbeddedMaster.start(
              PageSettings.ofMaster(conf), !Settings.isSet(conf, HConstants.MASTER_INFO_PORT));
      MasterWatch watch = MasterWatch.start(master, fatal);
      RegionServer server = new RegionServer(conf, settings, fatal, stop);
      if (server.join()) {
        master.awaitInitialized(stop::isMade);
        server.serving();
      }
      return new Standalone(directory, zooKeeper, master, watch, server);
    } catch (IOException | RuntimeException e) {
      throw new StartupException("Grampus cannot start on " + root + ": " + e.getMessage(), e);
    }
  }

  private static void checkPorts(Configuration conf) throws StartupException {
    PortCheck.free(
        conf,
        HConstants.ZOOKEEPER_CLIENT_PORT,
        HConstants.DEFAULT_ZOOKEEPER_CLIENT_PORT,
        conf.get("hbase.zookeeper.property.clientPortAddress"));
    PortCheck.free(
        conf,
        HConstants.MASTER_PORT,
        HConstants.DEFAULT_MASTER_PORT,
        conf.get("hbase.master.ipc.address"));
    PortCheck.free(
        conf,
        HConstants.REGIONSERVER_PORT,
        HConstants.DEFAULT_REGIONSERVER_PORT,
        conf.get("hbase.regionserver.ipc.address"));
    if (Settings.isSet(conf, HConstants.MASTER_INFO_PORT)) {
      PortCheck.free(
          conf,
          HConstants.MASTER_INFO_PORT,
          HConstants.DEFAULT_MASTER_INFOPORT,
          conf.get("hbase.master.info.bindAddress"));
    }
  }

  /** The line for the operator. */
  String describe(Configuration conf) {
    return "grampus is serving: region server "
        + server.server()
        + ", ZooKeeper on port "
        + zooKeeper.port()
        + ", data in "
        + directory.root()
        + server.pages();
  }

  /**
   * The master goes first, so that it sees no region server leave; its own state is durable at
   * every step. The region server sends no load report from here on: it would find the master's
   * port closed.
   */
  @Override
  public void close() throws IOException {
    StopSteps steps = new StopSteps();
    steps.close("watch of the master", watch);
    server.stopReporting();
    steps.run("master", () -> master.stop(MASTER_STOP_MAX));
    try {
      server.close();
    } finally {
      steps.close("ZooKeeper", zooKeeper);
      steps.close("directory", directory);
    }
  }
}
