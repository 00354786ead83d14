package org.grampus.perf.trouble;

import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.grampus.compat.suite.Violations;
import org.grampus.perf.ToolException;
import org.grampus.perf.cluster.Cluster;
import org.grampus.perf.cluster.Node;
import org.grampus.perf.cluster.Probe;
import org.grampus.perf.cluster.Recovery;
import org.grampus.perf.cluster.Role;
import org.grampus.perf.cluster.ServiceManager;
import org.grampus.perf.process.Await;

/** A cluster, and what kinds of trouble need of it. For one thread. */
public final class Bench implements Closeable {
  private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  /** Of a region that moves from a server that lives to another. */
  private static final long UNAVAILABLE_MILLIS_MAX = 5000;

  private final Cluster cluster;
  private final Connection connection;
  private final Probe probe;
  private final DistributedFileSystem hdfs;
  private final Violations violations;
  private final ServiceManager services;
  private final Recovery recovery;
  private final List<Node> ended = new ArrayList<>();
  private boolean mayEnd;

  /**
   * Opens its client of HDFS.
   *
   * @param connection of an operator
   * @param violations takes ends of region servers that must not be
   */
  public Bench(Cluster cluster, Connection connection, Probe probe, Violations violations)
      throws IOException {
    this.cluster = cluster;
    this.connection = connection;
    this.probe = probe;
    this.violations = violations;
    hdfs = (DistributedFileSystem) FileSystem.newInstance(cluster.configuration());
    services = new ServiceManager(cluster, violations);
    recovery = new Recovery(cluster, probe, connection, services);
  }

  Cluster cluster() {
    return cluster;
  }

  /** The operator's. */
  public Connection connection() {
    return connection;
  }

  DistributedFileSystem hdfs() {
    return hdfs;
  }

  Violations violations() {
    return violations;
  }

  /**
   * Region servers that may end by the trouble that is there now, each once. What ends from now on
   * is started when the trouble is over: it could not start before.
   */
  void mayEnd(List<Node> nodes) {
    nodes.forEach(services::mayEnd);
    mayEnd = true;
  }

  /** Lets the trouble last, and starts what ends meanwhile, if nothing may. */
  void last(String trouble, Duration time) throws IOException, InterruptedException {
    long end = System.nanoTime() + time.toNanos();
    for (long left = time.toNanos(); left > 0; left = end - System.nanoTime()) {
      if (!mayEnd) {
        revive(trouble);
      }
      TimeUnit.NANOSECONDS.sleep(Math.min(left, POLL_NANOS));
    }
  }

  /** Starts what has ended. */
  void revive(String trouble) throws IOException {
    ended.addAll(services.revive(trouble));
  }

  /**
   * Waits for the cluster to serve after a trouble; returns what has ended by itself in all.
   *
   * @throws ToolException when it does not after two minutes
   */
  public List<Node> recover(String trouble)
      throws ToolException, IOException, InterruptedException {
    ended.addAll(recovery.await(trouble, System.nanoTime()));
    awaitBalance();
    List<Node> all = List.copyOf(ended);
    ended.clear();
    services.mayEndNoMore();
    mayEnd = false;
    return all;
  }

  /**
   * Requires that no region was away for long since the probe has forgotten earlier times, as none
   * has to be where no server dies.
   *
   * @param trouble what happened meanwhile
   */
  void requireAvailable(String trouble) throws ToolException {
    long millis = probe.unavailableMillis();
    if (millis > UNAVAILABLE_MILLIS_MAX) {
      throw new ToolException(
          "a region was away for " + millis + " ms in " + trouble + "; see " + cluster.directory());
    }
  }

  /** The next trouble is one of all region servers only when each has regions. */
  private void awaitBalance() throws ToolException, InterruptedException {
    Await.until(
        "each region server to have regions",
        regionServers().stream().map(Node::daemon).toList(),
        () -> {
          try (Admin admin = connection.getAdmin()) {
            for (Node node : regionServers()) {
              Optional<ServerName> server = find(admin, node);
              if (server.isEmpty() || admin.getRegions(server.get()).isEmpty()) {
                return false;
              }
            }
            return true;
          }
        });
  }

  /**
   * Orders a flush of all tables, which fails where the trouble does not allow it. HBase's client
   * may wait for minutes for the end of such an order, and nothing here does.
   */
  void orderFlush() {
    Thread flush = new Thread(this::flushQuietly, "flush");
    flush.setDaemon(true);
    flush.start();
  }

  private void flushQuietly() {
    try {
      flush();
    } catch (IOException e) {
      System.out.print("(an ordered flush failed) ");
    }
  }

  /**
   * Requires that the file system takes no bytes now.
   *
   * @throws ToolException when it does: then there is no trouble
   */
  void requireNoWrites() throws ToolException, IOException {
    if (!takesBytes(new Path(root(), "trouble"))) {
      return;
    }
    throw new ToolException("HDFS takes bytes below " + root() + ": there is no trouble");
  }

  /** Without try-with-resources: both calls of a stream throw the one exception that it has met. */
  private boolean takesBytes(Path file) throws IOException {
    FSDataOutputStream out;
    try {
      out = hdfs.create(file);
    } catch (IOException e) {
      return false;
    }
    boolean taken = true;
    try {
      out.write(1);
      out.hflush();
    } catch (IOException e) {
      taken = false;
    }
    try {
      out.close();
    } catch (IOException e) {
      taken = false;
    }
    hdfs.delete(file, false);
    return taken;
  }

  /** Where all that HBase keeps is. */
  Path root() {
    return new Path(cluster.configuration().get("hbase.rootdir"));
  }

  /** Flushes all tables of users, as far as their servers do so within the client's timeouts. */
  void flush() throws IOException {
    try (Admin admin = connection.getAdmin()) {
      for (var table : admin.listTableNames()) {
        admin.flush(table);
      }
    }
  }

  /** What HBase calls a region server that runs now. */
  ServerName name(Node regionServer) throws ToolException, IOException {
    try (Admin admin = connection.getAdmin()) {
      return find(admin, regionServer)
          .orElseThrow(() -> new ToolException("the master knows no " + regionServer));
    }
  }

  private static Optional<ServerName> find(Admin admin, Node regionServer) throws IOException {
    return admin.getRegionServers().stream()
        .filter(server -> server.getPort() == regionServer.port())
        .findFirst();
  }

  List<Node> regionServers() {
    return cluster.nodes(Role.REGION_SERVER);
  }

  @Override
  public void close() throws IOException {
    hdfs.close();
  }
}
