package org.grampus.perf.hadoop;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.grampus.compat.suite.target.FreePorts;

/**
 * The configuration that daemons and clients of HDFS read: everything below one directory, no
 * checks of users. Immutable.
 *
 * @param directory of all that HDFS keeps
 * @param hosts the addresses of its daemons; each data node has a replica of every block
 */
record HdfsSite(Path directory, HdfsHosts hosts) {
  /** Of a port that only its owner tells to others. */
  static final String ANY_PORT = FreePorts.HOST + ":0";

  /** Ports of a data node that must be the same when it is started again. */
  private static final List<String> DATA_NODE_ADDRESSES =
      List.of("dfs.datanode.address", "dfs.datanode.ipc.address", "dfs.datanode.http.address");

  /**
   * Writes the files that all of them read.
   *
   * @param more keys of hdfs-site.xml
   */
  void write(Path conf, Map<String, String> more) throws IOException {
    SiteFile.write(conf, "core-site.xml", core());
    writeHdfs(conf, more);
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
  }

  /**
   * Writes hdfs-site.xml alone, for daemons that are started from now on.
   *
   * @param more keys beside its own
   */
  void writeHdfs(Path conf, Map<String, String> more) throws IOException {
    Configuration hdfs = hdfs();
    more.forEach(hdfs::set);
    SiteFile.write(conf, "hdfs-site.xml", hdfs);
  }

  private Configuration core() throws IOException {
    Configuration keys = new Configuration(false);
    keys.set("fs.defaultFS", "hdfs://" + hosts.nameNode() + ":" + FreePorts.next());
    keys.set("hadoop.tmp.dir", directory.resolve("tmp").toString());
    return keys;
  }

  private Configuration hdfs() {
    Configuration keys = new Configuration(false);
    keys.set("dfs.namenode.http-address", ANY_PORT);
    keys.set("dfs.namenode.name.dir", "file://" + directory.resolve("names"));
    keys.setInt("dfs.namenode.safemode.extension", 0);
    keys.setInt("dfs.replication", hosts.dataNodes().size());
    keys.setBoolean("dfs.permissions.enabled", false);
    if (!hosts.areLoopback()) {
      // The name node takes the address that a data node's connection comes from for its own.
      keys.setBoolean("dfs.client.use.datanode.hostname", true);
      keys.setBoolean("dfs.datanode.use.datanode.hostname", true);
    }
    return keys;
  }

  /** Where a data node keeps its blocks. */
  Path blocks(int number) {
    return directory.resolve("blocks" + number);
  }

  /** What a data node alone is told, as arguments. */
  String[] dataNode(int number) throws IOException {
    List<String> arguments = new ArrayList<>();
    arguments.add("-Ddfs.datanode.data.dir=file://" + blocks(number));
    String host = hosts.dataNodes().get(number - 1);
    if (!hosts.areLoopback()) {
      arguments.add("-Ddfs.datanode.hostname=" + host);
    }
    for (String address : DATA_NODE_ADDRESSES) {
      arguments.add("-D" + address + "=" + host + ":" + FreePorts.next());
    }
    return arguments.toArray(String[]::new);
  }
}
