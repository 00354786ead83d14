package org.grampus.server.daemon;

import java.io.IOException;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.grampus.engine.EngineConfig;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code grampus regionserver}: a region server of an existing cluster. */
@Command(
    name = "regionserver",
    description = "Runs a region server against an existing ZooKeeper and HMaster.",
    mixinStandardHelpOptions = true)
final class RegionServerCommand implements Callable<Integer> {
  private static final Logger LOG = LoggerFactory.getLogger(RegionServerCommand.class);

  @Mixin private final DaemonOptions options = new DaemonOptions();

  @Override
  public Integer call() {
    return new DaemonRunner().run(this::start);
  }

  private AutoCloseable start(DaemonRunner runner) throws StartupException, InterruptedException {
    Configuration conf = options.configuration();
    if (!Settings.isSet(conf, HConstants.HBASE_DIR)) {
      throw new StartupException(
          "hbase.rootdir is not set; give the cluster's root directory in hbase-site.xml or with -D");
    }
    conf.set("fs.defaultFS", conf.get(HConstants.HBASE_DIR));
    MemoryBudget memory = MemoryBudget.from(conf);
    EngineConfig settings = EngineSettings.ofMember(conf, memory);
    PortCheck.free(
        conf,
        HConstants.REGIONSERVER_PORT,
        HConstants.DEFAULT_REGIONSERVER_PORT,
        conf.get("hbase.regionserver.ipc.address"));
    try {
      RegionServer server = new RegionServer(conf, settings, runner::abort, runner.stop());
      if (server.join()) {
        server.serving();
        LOG.info("grampus is serving: region server {}{}", server.server(), server.pages());
      }
      return server::close;
    } catch (IOException | RuntimeException e) {
      throw new StartupException("the region server cannot start: " + e.getMessage(), e);
    }
  }
}
