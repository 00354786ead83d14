package org.grampus.perf.hadoop;

import java.io.IOException;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.grampus.compat.suite.target.FreePorts;

/**
 * The configuration that all daemons, tasks and clients of a cluster with YARN read: addresses on
 * loopback, everything below one directory, little memory.
 */
final class HadoopSite {
  /** Of a port that only its owner tells to others. */
  private static final String ANY_PORT = HdfsSite.ANY_PORT;

  private static final String FIFO =
      "org.apache.hadoop.yarn.server.resourcemanager.scheduler.fifo.FifoScheduler";

  private static final int NODE_MB = 3072;
  private static final int CONTAINER_MB = 512;

  /** Tasks live for seconds: a second compiler would not pay. */
  private static final String SMALL_JVM = "-Xmx320m -XX:TieredStopAtLevel=1 -XX:+UseSerialGC";

  /** What Hadoop of this version reaches into on a JDK of 17 or later. */
  private static final String OPENS =
      "--add-opens=java.base/java.lang=ALL-UNNAMED --add-opens=java.base/java.nio=ALL-UNNAMED";

  private final Path directory;
  private final Path library;

  /**
   * The configuration of a new cluster.
   *
   * @param directory of all that it keeps
   * @param library where its jars are
   */
  HadoopSite(Path directory, Path library) {
    this.directory = directory;
    this.library = library;
  }

  /** Writes the files that HDFS does not read. */
  void write(Path conf) throws IOException {
    SiteFile.write(conf, "yarn-site.xml", yarn());
    SiteFile.write(conf, "mapred-site.xml", mapred(conf));
  }

  private String below(String name) {
    return directory.resolve(name).toString();
  }

  private Configuration yarn() throws IOException {
    Configuration keys = new Configuration(false);
    keys.set("yarn.resourcemanager.address", FreePorts.nextAddress());
    keys.set("yarn.resourcemanager.scheduler.address", FreePorts.nextAddress());
    keys.set("yarn.resourcemanager.resource-tracker.address", FreePorts.nextAddress());
    keys.set("yarn.resourcemanager.admin.address", ANY_PORT);
    keys.set("yarn.resourcemanager.webapp.address", FreePorts.nextAddress());
    keys.set("yarn.nodemanager.hostname", FreePorts.HOST);
    keys.set("yarn.nodemanager.address", ANY_PORT);
    keys.set("yarn.nodemanager.localizer.address", ANY_PORT);
    keys.set("yarn.nodemanager.webapp.address", ANY_PORT);
    keys.set("yarn.nodemanager.aux-services", "mapreduce_shuffle");
    keys.set("yarn.nodemanager.local-dirs", below("containers"));
    keys.set("yarn.nodemanager.log-dirs", below("container-logs"));
    keys.setInt("yarn.nodemanager.resource.memory-mb", NODE_MB);
    keys.setInt("yarn.scheduler.minimum-allocation-mb", CONTAINER_MB);
    keys.set(
        "yarn.resourcemanager.scheduler.class", FIFO); // the default one needs a file of queues
    // A disk that is nearly full is the machine's affair, and addresses of memory cost nothing.
    keys.set(
        "yarn.nodemanager.disk-health-checker.max-disk-utilization-per-disk-percentage", "100");
    keys.setBoolean("yarn.nodemanager.vmem-check-enabled", false);
    keys.setInt("yarn.resourcemanager.nodemanagers.heartbeat-interval-ms", 100);
    return keys;
  }

  private Configuration mapred(Path conf) throws IOException {
    Configuration keys = new Configuration(false);
    keys.set("mapreduce.framework.name", "yarn");
    keys.set("mapreduce.application.classpath", conf + "," + library + "/*");
    keys.set("mapreduce.jobhistory.address", FreePorts.nextAddress());
    keys.set("mapreduce.jobhistory.webapp.address", ANY_PORT);
    keys.set("mapreduce.jobhistory.admin.address", ANY_PORT);
    keys.setInt("mapreduce.shuffle.port", 0);
    keys.setInt("yarn.app.mapreduce.am.resource.mb", CONTAINER_MB);
    keys.setInt("mapreduce.map.memory.mb", CONTAINER_MB);
    keys.setInt("mapreduce.reduce.memory.mb", CONTAINER_MB);
    keys.setInt("mapreduce.task.io.sort.mb", 16);
    keys.set("yarn.app.mapreduce.am.command-opts", SMALL_JVM + " " + OPENS);
    keys.set("mapreduce.map.java.opts", SMALL_JVM + " " + OPENS);
    keys.set("mapreduce.reduce.java.opts", SMALL_JVM + " " + OPENS);
    // A task is slow where the machine is, and would be so once more.
    keys.setBoolean("mapreduce.map.speculative", false);
    keys.setBoolean("mapreduce.reduce.speculative", false);
    keys.setInt("yarn.app.mapreduce.am.scheduler.heartbeat.interval-ms", 200);
    keys.setInt("mapreduce.client.completion.pollinterval", 200);
    return keys;
  }
}
