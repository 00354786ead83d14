package org.grampus.server.daemon;

import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code grampus standalone}: everything in one process. */
@Command(
    name = "standalone",
    description = "Runs master, ZooKeeper and region server in one process.",
    mixinStandardHelpOptions = true)
final class StandaloneCommand implements Callable<Integer> {
  private static final Logger LOG = LoggerFactory.getLogger(StandaloneCommand.class);

  @Mixin private final DaemonOptions options = new DaemonOptions();

  @Override
  public Integer call() {
    return new DaemonRunner().run(this::start);
  }

  private AutoCloseable start(DaemonRunner runner) throws StartupException, InterruptedException {
    Configuration conf = options.configuration();
    Standalone standalone =
        Standalone.start(conf, DaemonOptions.data(), runner::abort, runner.stop());
    if (!runner.stop().isMade()) {
      LOG.info(standalone.describe(conf));
    }
    return standalone;
  }
}
