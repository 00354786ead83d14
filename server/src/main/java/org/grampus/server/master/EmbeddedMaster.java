package org.grampus.server.master;

import java.io.IOException;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.master.HMaster;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.grampus.server.env.Env;

/** An HMaster on a thread of its own, with its own copy of the configuration. */
public final class EmbeddedMaster {
  private static final Duration POLL = Duration.ofMillis(10);

  private final HMaster master;

  private EmbeddedMaster(HMaster master) {
    this.master = master;
  }

  /**
   * Constructs and starts the master; it then waits for a region server. A store that an earlier
   * start left half made is made again.
   *
   * @param anyInfoPort whether its pages may have a later port when theirs is taken
   */
  public static EmbeddedMaster start(Configuration conf, boolean anyInfoPort) throws IOException {
    MasterStore.removeUnfinished(conf);
    // The master and our server register metrics under names that would otherwise collide in one
    // JVM.
    DefaultMetricsSystem.setMiniClusterMode(true);
    Configuration own = new Configuration(conf);
    own.setInt("hbase.regionserver.handler.count", conf.getInt("grampus.master.handler.count", 5));
    own.setInt(
        "hbase.regionserver.metahandler.count", conf.getInt("grampus.master.metahandler.count", 5));
    if (anyInfoPort) {
      own.setBoolean(HConstants.REGIONSERVER_INFO_PORT_AUTO, true);
    }
    HMaster master = HMaster.constructMaster(StandaloneMaster.class, own);
    master.start();
    return new EmbeddedMaster(master);
  }

  /** Waits until the master serves or a stop is requested; fails when it gives up before. */
  public void awaitInitialized(BooleanSupplier stopping) throws IOException, InterruptedException {
    while (!master.isInitialized() && !stopping.getAsBoolean()) {
      if (master.isAborted() || !master.isAlive()) {
        throw new IOException(
            "the embedded master stopped while starting; its log lines above say why");
      }
      Env.sleep(POLL);
    }
  }

  /** True once the master has given up or ended. */
  public boolean isDown() {
    return master.isAborted() || !master.isAlive();
  }

  /** Stops the master and waits for its thread. */
  public void stop(Duration timeout) throws IOException, InterruptedException {
    master.stopMaster();
    master.join(timeout.toMillis());
    if (master.isAlive()) {
      throw new IOException(
          "the embedded master did not stop within " + timeout.toSeconds() + " s");
    }
  }
}
