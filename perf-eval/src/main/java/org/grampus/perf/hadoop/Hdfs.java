package org.grampus.perf.hadoop;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.grampus.perf.ToolException;
import org.grampus.perf.process.Await;
import org.grampus.perf.process.Checkout;
import org.grampus.perf.process.Daemon;

/**
 * A name node and data nodes on this machine, each of which may be ended and started again on its
 * own ports. For one thread.
 */
public final class Hdfs implements AutoCloseable {
  private static final String SERVER = "org.apache.hadoop.hdfs.server.";
  private static final String NAME_NODE = SERVER + "namenode.NameNode";
  private static final String DATA_NODE = SERVER + "datanode.DataNode";

  private final HdfsSite site;
  private final Map<String, String> keys;
  private final HadoopCommand command;
  private final Daemon nameNode;
  private final List<Daemon> dataNodes = new ArrayList<>();

  private Hdfs(HdfsSite site, Map<String, String> keys, HadoopCommand command) throws IOException {
    this.site = site;
    this.keys = keys;
    this.command = command;
    nameNode = command.daemon("namenode", site.directory(), NAME_NODE);
    for (int i = 1; i <= site.hosts().dataNodes().size(); i++) {
      dataNodes.add(
          command.daemon(
              "datanode" + i,
              site.directory(),
              Stream.concat(Stream.of(DATA_NODE), Stream.of(site.dataNode(i)))
                  .toArray(String[]::new)));
    }
  }

  /**
   * A new HDFS that does not run yet, whose daemons have the first compiler alone.
   *
   * @param directory of all that it keeps, its site files in {@code conf} included
   * @param keys of hdfs-site.xml beside those of addresses and directories
   */
  public static Hdfs create(
      Checkout checkout, Path directory, HdfsHosts hosts, Map<String, String> keys)
      throws IOException {
    return create(checkout, directory, hosts, keys, Compilers.FIRST);
  }

  /**
   * The same with another choice of compilers.
   *
   * @param compilers of the daemons
   */
  public static Hdfs create(
      Checkout checkout,
      Path directory,
      HdfsHosts hosts,
      Map<String, String> keys,
      Compilers compilers)
      throws IOException {
    Path conf = Files.createDirectories(directory.resolve("conf"));
    HdfsSite site = new HdfsSite(directory, hosts);
    site.write(conf, keys);
    return new Hdfs(site, keys, new HadoopCommand(checkout, conf, compilers));
  }

  /**
   * Makes its file system and starts all daemons; returns once it takes files.
   *
   * @throws ToolException when a daemon ends, or it takes none after two minutes
   */
  public void start() throws ToolException, IOException, InterruptedException {
    Daemon format =
        command.daemon("format", site.directory(), NAME_NODE, "-format", "-nonInteractive");
    format.start();
    format.awaitSuccess();
    for (Daemon daemon : daemons()) {
      daemon.start();
    }
    Await.until("an HDFS that takes files", daemons(), this::isReady);
  }

  /**
   * Writes hdfs-site.xml once more, for daemons that are started from now on.
   *
   * @param more keys beside those that it was made with, or in their place
   */
  public void configure(Map<String, String> more) throws IOException {
    Map<String, String> all = new LinkedHashMap<>(keys);
    all.putAll(more);
    site.writeHdfs(confDir(), all);
  }

  /** Where a data node keeps its blocks. */
  public Path blocks(Daemon dataNode) {
    return site.blocks(dataNodes.indexOf(dataNode) + 1);
  }

  /** Its URI, without a path. */
  public String uri() {
    return configuration().get("fs.defaultFS");
  }

  /** Whether it takes files and has heard of all data nodes; an IOException says no as well. */
  public boolean isReady() throws IOException {
    try (FileSystem fs = FileSystem.newInstance(impatient())) {
      fs.mkdirs(new org.apache.hadoop.fs.Path("/tmp")); // refused in safe mode
      return ((DistributedFileSystem) fs).getDataNodeStats().length == dataNodes.size();
    }
  }

  /** For questions that are asked again: a client's configuration that waits for nothing. */
  private Configuration impatient() {
    Configuration conf = configuration();
    conf.setInt("ipc.client.connect.max.retries", 0);
    conf.setBoolean("dfs.client.retry.policy.enabled", false);
    conf.setInt("dfs.client.failover.max.attempts", 0);
    return conf;
  }

  /** A client's configuration. */
  public Configuration configuration() {
    Configuration conf = new Configuration();
    conf.setBoolean("fs.automatic.close", false); // not before the programs that use it have ended
    for (String name : List.of("core", "hdfs")) {
      conf.addResource(
          new org.apache.hadoop.fs.Path(confDir().resolve(name + "-site.xml").toUri()));
    }
    return conf;
  }

  /** The directory of its site files. */
  public Path confDir() {
    return command.confDir();
  }

  /** The name node. */
  public Daemon nameNode() {
    return nameNode;
  }

  /** The data nodes. */
  public List<Daemon> dataNodes() {
    return List.copyOf(dataNodes);
  }

  /** All of them, in the order in which they start. */
  public List<Daemon> daemons() {
    return Stream.concat(Stream.of(nameNode), dataNodes.stream()).toList();
  }

  /** Ends all daemons. */
  @Override
  public void close() {
    Daemon.end(daemons());
  }
}
