package org.grampus.perf.hadoop;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;

/**
 * The configuration that all daemons, tasks and clients of a cluster read: addresses on loopback,
 * everything below one directory, little memory, no checks of users.
 */
final class HadoopSite {
  static final String HOST = "127.0.0.1";

  /** Of a port that only its owner tells to others. */
  private static final String ANY_PORT = HOST + ":0";

  private static final String FIFO =
      "org.apache.hadoop.yarn.server.resourcemanager.scheduler.fifo.FifoScheduler";

  private static final int PORTS = 7;
  private static final int NODE_MB = 3072;
  private static final int CONTAINER_MB = 512;

  /** Tasks live for seconds: a second compiler would not pay. */
  private static final String SMALL_JVM = "-Xmx320m -XX:TieredStopAtLevel=1 -XX:+UseSerialGC";

  /** What Hadoop of this version reaches into on a JDK of 17 or later. */
  private static final String OPENS =
      "--add-opens=java.base/java.lang=ALL-UNNAMED --add-opens=java.base/java.nio=ALL-UNNAMED";

  private final Path directory;
  private final Path library;
  private final FreePorts ports;

  private HadoopSite(Path directory, Path library) throws IOException {
    this.directory = directory;
    this.library = library;
    this.ports = new FreePorts(PORTS);
  }

  /**
   * Writes the configuration of a new cluster.
   *
   * @param directory of all that it keeps
   * @param library where its jars are
   * @return the directory of its files
   */
  static Path write(Path directory, Path library) throws IOException {
    return new HadoopSite(directory, library).write();
  }

  private Path write() throws IOException {
    Path conf = Files.createDirectories(directory.resolve("conf"));
    write(conf, "core-site.xml", core());
    write(conf, "hdfs-site.xml", hdfs());
    write(conf, "yarn-site.xml", yarn());
    write(conf, "mapred-site.xml", mapred(conf));
    // Its web pages are not in the jar of HDFS, whose daemons do not start without a place for
    // them.
    Files.createDirectories(conf.resolve("webapps/hdfs"));
    Files.createDirectories(conf.resolve("webapps/datanode"));
    Files.writeString(
        conf.resolve("log4j.properties"),
        """
        log4j.rootLogger=INFO,console
        log4j.appender.console=org.apache.log4j.ConsoleAppender
        log4j.appender.console.target=System.err
        log4j.appender.console.layout=org.apache.log4j.PatternLayout
        log4j.appender.console.layout.ConversionPattern=%d{ISO8601} %p %c{2}: %m%n
        """);
    return conf;
  }

  private static void write(Path conf, String name, Configuration keys) throws IOException {
    try (OutputStream out = Files.newOutputStream(conf.resolve(name))) {
      keys.writeXml(out);
    }
  }

  private String below(String name) {
    return directory.resolve(name).toString();
  }

  private Configuration core() {
    Configuration keys = new Configuration(false);
    keys.set("fs.defaultFS", "hdfs://" + ports.next());
    keys.set("hadoop.tmp.dir", below("tmp"));
    return keys;
  }

  private Configuration hdfs() {
    Configuration keys = new Configuration(false);
    keys.set("dfs.namenode.http-address", ANY_PORT);
    keys.set("dfs.namenode.name.dir", "file://" + below("names"));
    keys.setInt("dfs.namenode.safemode.min.datanodes", HadoopCluster.DATA_NODES);
    keys.setInt("dfs.namenode.safemode.extension", 0);
    keys.set("dfs.datanode.address", ANY_PORT);
    keys.set("dfs.datanode.ipc.address", ANY_PORT);
    keys.set("dfs.datanode.http.address", ANY_PORT);
    keys.setInt("dfs.replication", HadoopCluster.DATA_NODES);
    keys.setBoolean("dfs.permissions.enabled", false);
    return keys;
  }

  private Configuration yarn() {
    Configuration keys = new Configuration(false);
    keys.set("yarn.resourcemanager.address", ports.next());
    keys.set("yarn.resourcemanager.scheduler.address", ports.next());
    keys.set("yarn.resourcemanager.resource-tracker.address", ports.next());
    keys.set("yarn.resourcemanager.admin.address", ANY_PORT);
    keys.set("yarn.resourcemanager.webapp.address", ports.next());
    keys.set("yarn.nodemanager.hostname", HOST);
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

  private Configuration mapred(Path conf) {
    Configuration keys = new Configuration(false);
    keys.set("mapreduce.framework.name", "yarn");
    keys.set("mapreduce.application.classpath", conf + "," + library + "/*");
    keys.set("mapreduce.jobhistory.address", ports.next());
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
