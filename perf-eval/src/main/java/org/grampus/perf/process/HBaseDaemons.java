package org.grampus.perf.process;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * ZooKeeper and HMasters of a stock HBase, on the class path of {@code bin/grampus}, on loopback.
 *
 * @param checkout where that is
 * @param directory where their logs are
 * @param confDir of the site files that they read
 * @param jvm options of their JVMs
 */
public record HBaseDaemons(Checkout checkout, Path directory, Path confDir, String jvm) {
  private static final String HOST = "127.0.0.1";
  private static final String PACKAGE = "org.apache.hadoop.hbase.";

  /** Of small JVMs, which are soon there. */
  public HBaseDaemons(Checkout checkout, Path directory, Path confDir) {
    this(checkout, directory, confDir, ClientProgram.SMALL_JVM);
  }

  /** Keys of hbase-site.xml for a cluster of processes whose root is elsewhere than on a disk. */
  public static Map<String, String> settings(String root, Path directory) {
    Map<String, String> keys = new LinkedHashMap<>();
    keys.put("hbase.rootdir", root);
    keys.put("hbase.cluster.distributed", "true");
    keys.put("hbase.tmp.dir", directory.resolve("hbase-tmp").toString());
    keys.put("hbase.zookeeper.quorum", HOST);
    keys.put("hbase.zookeeper.property.clientPortAddress", HOST);
    keys.put("hbase.zookeeper.property.dataDir", directory.resolve("zookeeper").toString());
    keys.put("hbase.zookeeper.property.admin.enableServer", "false");
    keys.put("hbase.master.hostname", HOST);
    keys.put("hbase.master.ipc.address", HOST);
    keys.put("hbase.master.info.port", "-1");
    keys.put("hbase.regionserver.info.port", "-1");
    return keys;
  }

  /** Environment variables of all programs that read these site files. */
  public Map<String, String> environment() {
    return Map.of("GRAMPUS_CONF_DIR", confDir.toString(), "HADOOP_CONF_DIR", confDir.toString());
  }

  /** ZooKeeper, not running yet. */
  public Daemon zooKeeper() {
    return daemon("zookeeper", "zookeeper.HQuorumPeer");
  }

  /** An HMaster, not running yet, with options such as {@code -Dkey=value}. */
  public Daemon master(String name, String... options) {
    return daemon(
        name,
        "master.HMaster",
        Stream.concat(Stream.of(options), Stream.of("start")).toArray(String[]::new));
  }

  private Daemon daemon(String name, String type, String... arguments) {
    List<String> command =
        Stream.concat(Stream.of(checkout.grampus(), "run", PACKAGE + type), Stream.of(arguments))
            .toList();
    Map<String, String> variables = new LinkedHashMap<>(environment());
    variables.put("GRAMPUS_CLIENT_OPTS", jvm);
    return new Daemon(name, directory, command, variables);
  }
}
