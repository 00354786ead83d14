package org.grampus.perf.fleet;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.BalanceRequest;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.grampus.compat.suite.target.ImpatientClient;
import org.grampus.perf.ToolException;
import org.grampus.perf.cluster.Cluster;
import org.grampus.perf.cluster.CpuByRole;
import org.grampus.perf.cluster.Node;
import org.grampus.perf.cluster.Role;
import org.grampus.perf.process.Await;

/**
 * A cluster's life with many servers, phase by phase: they come, tables are made, servers die and
 * come back, regions are balanced, the master dies. For one thread.
 *
 * <p>One server of the cluster is no stub: it has hbase:meta, and its share of the regions.
 */
public final class FleetRun implements AutoCloseable {
  private static final Set<Role> COUNTED = Set.of(Role.MASTER, Role.REGION_SERVER, Role.NAME_NODE);
  private static final double NANOS = 1e9;
  private static final long LIMIT_SECONDS = 1800;
  private static final long LONG_CALL_MILLIS = TimeUnit.SECONDS.toMillis(LIMIT_SECONDS);
  private static final int REGIONS_PER_TABLE = 10_000;
  private static final int MOVES_PER_SERVER = 10;

  private final Cluster cluster;
  private final Fleet fleet;
  private final Connection connection;
  private final ServerName real;
  private final List<Phase> phases = new ArrayList<>();
  private int systemRegions;
  private int regions;

  /** What a phase does; it returns how many items that was about. */
  private interface Work {
    long run() throws ToolException, IOException, InterruptedException;
  }

  private FleetRun(Cluster cluster, Fleet fleet, Connection connection) throws IOException {
    this.cluster = cluster;
    this.fleet = fleet;
    this.connection = connection;
    try (Admin admin = connection.getAdmin()) {
      admin.balancerSwitch(false, true); // regions move when a phase says so
      real = admin.getRegionServers().iterator().next();
      systemRegions = admin.getRegions(real).size();
    }
  }

  /**
   * Over a cluster that serves and has one region server.
   *
   * @param reportSeconds from one report of a stub's load to its next
   */
  public static FleetRun start(Cluster cluster, int reportSeconds)
      throws IOException, InterruptedException {
    Fleet fleet = Fleet.start(cluster.configuration(), reportSeconds);
    try {
      Connection connection = ConnectionFactory.createConnection(patient(cluster));
      try {
        return new FleetRun(cluster, fleet, connection);
      } catch (IOException | RuntimeException e) {
        connection.close();
        throw e;
      }
    } catch (IOException | RuntimeException e) {
      fleet.close();
      throw e;
    }
  }

  /** A table of 10,000 regions takes its time. */
  private static Configuration patient(Cluster cluster) {
    Configuration conf = cluster.configuration();
    for (String key :
        List.of(
            "hbase.rpc.timeout",
            "hbase.client.operation.timeout",
            "hbase.client.sync.wait.timeout.msec")) {
      conf.setLong(key, LONG_CALL_MILLIS);
    }
    return conf;
  }

  /** Servers register. */
  public Phase register(int servers) throws ToolException, IOException, InterruptedException {
    return phase(
        "servers register",
        () -> {
          fleet.add(servers);
          await("servers that the master knows", () -> liveServers() == fleet.servers().size() + 1);
          return servers;
        });
  }

  /** Tables are made, of at most 10,000 regions each. */
  public Phase createTables(int count) throws ToolException, IOException, InterruptedException {
    return phase(
        "tables are created",
        () -> {
          try (Admin admin = connection.getAdmin()) {
            for (int made = 0; made < count; made += REGIONS_PER_TABLE) {
              createTable(admin, made, Math.min(REGIONS_PER_TABLE, count - made));
            }
          }
          awaitAllRegions();
          return count;
        });
  }

  private void createTable(Admin admin, int number, int count) throws IOException {
    byte[][] splits =
        IntStream.range(1, count)
            .mapToObj(split -> Bytes.toBytes(String.format("%08d", split)))
            .toArray(byte[][]::new);
    admin.createTable(
        TableDescriptorBuilder.newBuilder(TableName.valueOf("fleet" + number))
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(StubServer.FAMILY))
            .build(),
        splits);
    regions += count;
  }

  /** Nothing happens but reports of load; those that were answered are the items. */
  public Phase idle(int seconds) throws ToolException, IOException, InterruptedException {
    return phase(
        "nothing but reports",
        () -> {
          ReportCounts before = fleet.reportCounts();
          TimeUnit.SECONDS.sleep(seconds);
          return fleet.reportCounts().since(before).taken();
        });
  }

  /** Servers die at once, and their regions are opened elsewhere. */
  public Phase die(int servers) throws ToolException, IOException, InterruptedException {
    return phase(
        servers == 1 ? "a server dies" : "servers die",
        () -> {
          List<StubServer> dead = fleet.kill(servers);
          awaitAllRegions();
          return dead.stream().mapToLong(StubServer::regionCount).sum();
        });
  }

  /**
   * The balancer looks for a better place of each region, and no region is moved: it would give
   * hbase:meta to a stub.
   */
  public Phase plan() throws ToolException, IOException, InterruptedException {
    return phase(
        "the balancer plans",
        () -> {
          try (Admin admin = connection.getAdmin()) {
            admin.balancerSwitch(true, true);
            BalanceRequest dry = BalanceRequest.newBuilder().setDryRun(true).build();
            int moves = admin.balance(dry).getMovesCalculated();
            admin.balancerSwitch(false, true);
            return moves;
          }
        });
  }

  /** Some regions of each server are moved to those that came last. */
  public Phase move(int newcomers) throws ToolException, IOException, InterruptedException {
    List<StubServer> servers = fleet.servers();
    int old = servers.size() - newcomers;
    List<RegionInfo> moved =
        servers.stream()
            .limit(old)
            .flatMap(server -> server.regions().stream().limit(MOVES_PER_SERVER))
            .toList();
    return phase(
        "regions are moved",
        () -> {
          try (Moves moves = new Moves(connection)) {
            for (int i = 0; i < moved.size(); i++) {
              moves.add(moved.get(i), servers.get(old + i % newcomers).name());
            }
          }
          awaitAllRegions();
          return moved.size();
        });
  }

  /** The active master dies, and the other one takes over. */
  public Phase failOver() throws ToolException, IOException, InterruptedException {
    Node active =
        cluster
            .activeMaster(connection)
            .orElseThrow(() -> new ToolException("no master is active"));
    return phase(
        "the master dies",
        () -> {
          active.daemon().kill();
          await("another master", () -> servedByAnother(active));
          return regions;
        });
  }

  private boolean servedByAnother(Node dead) throws IOException {
    try (Connection fresh =
            ConnectionFactory.createConnection(ImpatientClient.of(cluster.configuration()));
        Admin admin = fresh.getAdmin()) {
      Optional<Node> active = cluster.activeMaster(fresh);
      return active.isPresent()
          && !active.get().equals(dead)
          && admin.listNamespaceDescriptors().length > 0; // refused before it is initialized
    }
  }

  private int liveServers() throws IOException {
    try (Admin admin = connection.getAdmin()) {
      return admin.getRegionServers().size();
    }
  }

  private void awaitAllRegions() throws ToolException, InterruptedException {
    await("all regions", () -> openRegions() >= regions + systemRegions);
  }

  private int openRegions() throws IOException {
    int ofStubs = fleet.servers().stream().mapToInt(StubServer::regionCount).sum();
    try (Admin admin = connection.getAdmin()) {
      return ofStubs + admin.getRegions(real).size();
    }
  }

  private void await(String what, Await.Condition condition)
      throws ToolException, InterruptedException {
    Await.until(what, List.of(), LIMIT_SECONDS, condition);
  }

  private Phase phase(String name, Work work)
      throws ToolException, IOException, InterruptedException {
    CpuByRole before = CpuByRole.of(cluster, COUNTED);
    ReportCounts reports = fleet.reportCounts();
    long began = System.nanoTime();
    long items = work.run();
    double seconds = (System.nanoTime() - began) / NANOS;
    CpuByRole after = CpuByRole.of(cluster, COUNTED);
    fleet.require();
    Phase phase =
        new Phase(
            name,
            items,
            seconds,
            after.secondsSince(before, Role.MASTER),
            after.secondsSince(before, Role.REGION_SERVER),
            after.secondsSince(before, Role.NAME_NODE),
            fleet.reportCounts().since(reports));
    phases.add(phase);
    return phase;
  }

  /** What has been, in its order. */
  public List<Phase> phases() {
    return List.copyOf(phases);
  }

  @Override
  public void close() throws IOException {
    connection.close();
    fleet.close();
  }
}
