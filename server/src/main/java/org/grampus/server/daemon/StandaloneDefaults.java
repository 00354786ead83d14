package org.grampus.server.daemon;

import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.grampus.server.master.TableGuard;

/**
 * Settings of the one-process mode: everything on loopback and below one directory, and the
 * embedded master's fast start. Each may be overridden by its own key.
 */
final class StandaloneDefaults {
  /** Everything that is ours and not HBase's lies here, below hbase.rootdir. */
  static final String PRIVATE_DIRECTORY = ".grampus";

  /** HBase's codecs read configurations of their own making, so only a resource reaches them. */
  private static final String CODECS = "grampus-codecs.xml";

  private StandaloneDefaults() {}

  /** Applies the defaults for a root directory on the local file system. */
  static void apply(Configuration conf, Path rootDir) {
    Path own = rootDir.resolve(PRIVATE_DIRECTORY);
    Settings.setDefault(conf, "hbase.tmp.dir", own.resolve("tmp").toString());
    Settings.setDefault(conf, HConstants.ZOOKEEPER_DATA_DIR, own.resolve("zookeeper").toString());
    conf.setBoolean("hbase.cluster.distributed", false);
    // The local file system cannot promise hsync; the engine's own logs do their own syncs.
    conf.setBoolean("hbase.unsafe.stream.capability.enforce", false);
    Settings.setDefault(conf, "hbase.master.hostname", "localhost");
    Settings.setDefault(conf, "hbase.master.ipc.address", "127.0.0.1");
    Settings.setDefault(conf, "hbase.zookeeper.property.clientPortAddress", "127.0.0.1");
    Settings.setDefault(conf, "hbase.master.info.bindAddress", "127.0.0.1");
    Settings.setDefault(conf, "zookeeper.session.timeout", "40000");
    Settings.setDefault(conf, "hbase.coprocessor.master.classes", TableGuard.class.getName());
    Configuration.addDefaultResource(CODECS);
    fastMaster(conf);
  }

  private static void fastMaster(Configuration conf) {
    Settings.setDefault(conf, "hbase.master.wait.on.regionservers.mintostart", "1");
    Settings.setDefault(conf, "hbase.master.wait.on.regionservers.maxtostart", "1");
    Settings.setDefault(conf, "hbase.procedure.remote.dispatcher.delay.msec", "5");
    Settings.setDefault(conf, "hbase.assignment.dispatch.wait.msec", "5");
    Settings.setDefault(conf, "hbase.master.procedure.threads", "4");
    Settings.setDefault(conf, "hbase.write.hbck1.lock.file", "false");
    Settings.setDefault(conf, "hbase.balancer.tablesOnMaster", "false");
  }
}
