package org.grampus.perf.fleet;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ServerName;
import org.grampus.compat.suite.target.FreePorts;
import org.grampus.perf.ToolException;
import org.grampus.server.cluster.ClusterLink;
import org.grampus.server.cluster.MasterLink;
import org.grampus.server.cluster.Registration;
import org.grampus.server.netty.RpcServer;
import org.grampus.server.region.LoadReport;
import org.grampus.server.rpc.RpcServerConfig;
import org.grampus.server.rpc.ServiceRegistry;

/**
 * Stub region servers of one cluster, which take any region and hold no data. To its master each is
 * a server: it registers, has a node in ZooKeeper, reports its load at an interval and takes orders
 * at an address of its own. They share a process, a session of ZooKeeper and a connection to the
 * master. For one thread.
 */
public final class Fleet implements AutoCloseable {
  private static final String CONNECTIONS = "20000";

  private final int port;
  private final AtomicReference<String> failure;
  private final Map<Long, StubServer> alive = new ConcurrentHashMap<>();
  private final List<StubServer> servers = new ArrayList<>();
  private final ClusterLink cluster;
  private final MasterLink master;
  private final MasterReports reports;
  private final LoadReports loads;
  private final long reportMillis;
  private final RpcServer rpc;
  private final Relay relay;
  private long lastStartCode;

  private Fleet(
      Configuration conf,
      ClusterLink cluster,
      String clusterId,
      int reportSeconds,
      AtomicReference<String> failure)
      throws IOException {
    this.failure = failure;
    this.cluster = cluster;
    reportMillis = TimeUnit.SECONDS.toMillis(reportSeconds);
    port = FreePorts.next();
    master = new MasterLink(conf, cluster::master, clusterId);
    reports = new MasterReports(master);
    loads =
        new LoadReports(
            report -> master.call(stub -> stub.regionServerReport(null, report)),
            reportMillis,
            failure,
            System::nanoTime);
    rpc =
        new RpcServer(
            RpcServerConfig.from(listening(conf)),
            new ServiceRegistry().add(new Orders(alive::get, reports)));
    relay = new Relay(() -> new InetSocketAddress(InetAddress.getLoopbackAddress(), rpc.port()));
  }

  /**
   * Starts a fleet without servers.
   *
   * @param conf of a cluster that serves
   * @param reportSeconds from one report of a server's load to its next
   */
  public static Fleet start(Configuration conf, int reportSeconds)
      throws IOException, InterruptedException {
    AtomicReference<String> lost = new AtomicReference<>();
    ClusterLink cluster =
        new ClusterLink(conf, "fleet", (why, cause) -> lost.compareAndSet(null, why));
    try {
      Fleet fleet =
          new Fleet(conf, cluster, cluster.awaitCluster(() -> false), reportSeconds, lost);
      fleet.listen();
      return fleet;
    } catch (IOException | InterruptedException | RuntimeException e) {
      cluster.close();
      throw e;
    }
  }

  private void listen() throws IOException {
    try {
      rpc.start();
    } catch (IOException e) {
      close();
      throw e;
    }
  }

  private static Configuration listening(Configuration conf) {
    Configuration own = new Configuration(conf);
    own.set("hbase.regionserver.ipc.address", FreePorts.HOST);
    own.set("hbase.regionserver.port", "0");
    own.set("grampus.rpc.connections.max", CONNECTIONS);
    own.set("grampus.rpc.connections.per.address.max", CONNECTIONS);
    return own;
  }

  /** Adds servers, each with an address that no server of the fleet has had. */
  public void add(int count) throws IOException, InterruptedException {
    for (int i = 0; i < count; i++) {
      String host = Addresses.of(servers.size());
      relay.listen(new InetSocketAddress(host, port));
      begin(ServerName.valueOf(host, port, nextStartCode()));
    }
  }

  private long nextStartCode() {
    lastStartCode = Math.max(lastStartCode + 1, System.currentTimeMillis());
    return lastStartCode;
  }

  private void begin(ServerName name) throws IOException, InterruptedException {
    StubServer server = new StubServer(name);
    servers.add(server);
    alive.put(name.getStartCode(), server);
    Registration.register(master, name, () -> false);
    cluster.register(name, LoadReport.NO_INFO_PORT);
    loads.add(server, servers.size() * 37L % reportMillis); // spread over the time between reports
  }

  /**
   * Ends servers as a crash would: their nodes in ZooKeeper go, their regions stay where they are.
   *
   * @return the dead
   */
  public List<StubServer> kill(int count) throws IOException {
    List<StubServer> dead = servers.stream().filter(StubServer::isAlive).limit(count).toList();
    for (StubServer server : dead) {
      server.die();
      alive.remove(server.name().getStartCode());
      cluster.unregister(server.name());
    }
    return dead;
  }

  /** Servers that are alive. */
  public List<StubServer> servers() {
    return servers.stream().filter(StubServer::isAlive).toList();
  }

  /** Orders to open a region that were taken since the start. */
  public long openedRegions() {
    return reports.openedRegions();
  }

  /** What has become of reports of load since the start. */
  public ReportCounts reportCounts() {
    return loads.counts();
  }

  /**
   * Fails when something has happened that no region server may survive.
   *
   * @throws ToolException that says what
   */
  public void require() throws ToolException {
    if (failure.get() != null) {
      throw new ToolException("the fleet has failed: " + failure.get());
    }
    if (reports.refusals() > 0) {
      throw new ToolException(reports.refusals() + " orders or reports of the fleet were refused");
    }
  }

  @Override
  public void close() {
    loads.close();
    reports.close();
    relay.close();
    rpc.close();
    master.close();
    cluster.close();
  }
}
