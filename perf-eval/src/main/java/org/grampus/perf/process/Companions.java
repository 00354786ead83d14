package org.grampus.perf.process;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.grampus.perf.ToolException;

/**
 * ZooKeeper and a stock HMaster for one region server, whose site file they read: processes of
 * their own, so that the region server's CPU does not include theirs. For one thread.
 */
final class Companions implements AutoCloseable {
  private static final int REPLICAS = 2;

  private final Daemon zooKeeper;
  private final Daemon master;

  /**
   * Both, not running yet.
   *
   * @param directory where their logs are
   * @param confDir of the region server
   */
  Companions(Checkout checkout, Path directory, Path confDir) {
    HBaseDaemons daemons = new HBaseDaemons(checkout, directory, confDir);
    zooKeeper = daemons.zooKeeper();
    master = daemons.master("master");
  }

  /** Keys of hbase-site.xml that make a cluster of the three. */
  static Map<String, String> settings(String root, Path directory) {
    Map<String, String> keys = new LinkedHashMap<>(HBaseDaemons.settings(root, directory));
    // A standalone HBase of these tools has it false, for the local disk.
    keys.put("hbase.unsafe.stream.capability.enforce", "true");
    keys.put("dfs.replication", String.valueOf(REPLICAS));
    return keys;
  }

  /**
   * Fails when one has ended.
   *
   * @throws ToolException with the end of what it printed
   */
  void require() throws ToolException {
    zooKeeper.require();
    master.require();
  }

  /** Starts both and returns at once. */
  void start() throws IOException {
    zooKeeper.start();
    master.start();
  }

  /** Ends both. */
  @Override
  public void close() {
    Daemon.end(List.of(master));
    Daemon.end(List.of(zooKeeper));
  }
}
