package org.grampus.perf.command;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.regionserver.DisabledRegionSplitPolicy;
import org.grampus.perf.ToolException;
import org.grampus.perf.cluster.Cluster;
import org.grampus.perf.cluster.CpuByRole;
import org.grampus.perf.cluster.Role;
import org.grampus.perf.process.ClientProgram;
import org.grampus.perf.process.ClientRun;
import org.grampus.perf.process.IdleWait;
import org.grampus.perf.process.MajorCompact;
import org.grampus.perf.result.Run;

/**
 * Measures work of PerformanceEvaluation on a cluster, as much for each of its region servers as on
 * a cluster of one. For one thread.
 */
final class ClusterMeasurement {
  /** Regions of the table for each server. */
  static final int REGIONS = 4;

  /** Clients for each server, but for scans, which one client makes. */
  static final int CLIENTS = 4;

  /** Scans of the whole table in a run. */
  static final int SCANS = 20;

  private static final Set<Role> COUNTED = Set.of(Role.REGION_SERVER);
  private static final TableName TABLE = TableName.valueOf("Servers");
  private static final List<String> PUT = List.of("--autoFlush=true", "randomWrite");
  private static final List<String> GET = List.of("randomRead");
  private static final double MICROS = 1e6;

  private final Cluster cluster;
  private final int servers;
  private final int rows;
  private final Path log;

  /**
   * Of a cluster that serves.
   *
   * @param servers its region servers
   * @param rows of each of them
   * @param log where the output of the last client goes
   */
  ClusterMeasurement(Cluster cluster, int servers, int rows, Path log) {
    this.cluster = cluster;
    this.servers = servers;
    this.rows = rows;
    this.log = log;
  }

  /** Loads the table, does each work once, and then counts it. */
  List<Run> measure(int repeat) throws ToolException, IOException, InterruptedException {
    load();
    for (List<String> arguments : List.of(calls(PUT), calls(GET), scans())) {
      pe(arguments);
    }
    awaitIdle();
    List<Run> runs = new ArrayList<>(counted("put", calls(PUT), repeat));
    MajorCompact.compact(cluster.configuration(), TABLE);
    awaitIdle();
    runs.addAll(counted("get", calls(GET), repeat));
    runs.addAll(counted("scan", scans(), repeat));
    return runs;
  }

  private List<String> calls(List<String> test) {
    return arguments(rows / CLIENTS, test, CLIENTS * servers);
  }

  private List<String> scans() {
    return arguments(
        (long) rows / CLIENTS * CLIENTS * servers,
        List.of("--caching=1000", "--cycles=" + SCANS, "scan"),
        1);
  }

  private List<String> arguments(long rowsOfClient, List<String> test, int clients) {
    List<String> arguments = new ArrayList<>(List.of("pe", "--nomapred"));
    arguments.add("--table=" + TABLE);
    arguments.add("--rows=" + rowsOfClient);
    arguments.add("--presplit=" + REGIONS * servers);
    arguments.add("--splitPolicy=" + DisabledRegionSplitPolicy.class.getName());
    arguments.addAll(test);
    arguments.add(String.valueOf(clients));
    return arguments;
  }

  /** A process that has ended says more than the client, which ends with it. */
  private ClientRun pe(List<String> arguments)
      throws ToolException, IOException, InterruptedException {
    ClientProgram client = cluster.grampus(arguments.toArray(String[]::new));
    try {
      return client.whileRuns(cluster::runs).run(log);
    } catch (ToolException e) {
      cluster.require();
      throw e;
    }
  }

  private List<Run> counted(String work, List<String> arguments, int repeat)
      throws ToolException, IOException, InterruptedException {
    List<Run> runs = new ArrayList<>();
    for (int number = 1; number <= repeat; number++) {
      CpuByRole before = CpuByRole.of(cluster, COUNTED);
      ClientRun client = pe(arguments);
      awaitIdle();
      double seconds = CpuByRole.of(cluster, COUNTED).secondsSince(before, Role.REGION_SERVER);
      runs.add(PeRuns.of("grampus", work, number, client, seconds * MICROS));
    }
    return runs;
  }

  /** Waits until what the clients have left to the region servers is done. */
  private void awaitIdle() throws ToolException, InterruptedException {
    IdleWait.until("idle region servers", this::regionServerMicros);
  }

  private List<Long> regionServerMicros() throws ToolException {
    cluster.require();
    try {
      return CpuByRole.ofEach(cluster, Role.REGION_SERVER);
    } catch (IOException e) {
      throw new ToolException("a process of the cluster has ended", e);
    }
  }

  /** Regions stay where they are opened first. */
  private void load() throws ToolException, IOException, InterruptedException {
    try (Connection connection = ConnectionFactory.createConnection(cluster.configuration());
        Admin admin = connection.getAdmin()) {
      admin.balancerSwitch(false, true);
      pe(calls(List.of("sequentialWrite")));
      requireEven(admin);
    }
  }

  /** Servers of which one has more to do than another cannot be compared with one alone. */
  private static void requireEven(Admin admin) throws ToolException, IOException {
    for (ServerName server : admin.getRegionServers()) {
      long regions =
          admin.getRegions(server).stream()
              .filter(region -> region.getTable().equals(TABLE))
              .count();
      if (regions != REGIONS) {
        throw new ToolException(server + " has " + regions + " regions, not " + REGIONS);
      }
    }
  }
}
