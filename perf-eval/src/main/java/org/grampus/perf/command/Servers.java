package org.grampus.perf.command;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.grampus.perf.ToolException;
import org.grampus.perf.cluster.Cluster;
import org.grampus.perf.cluster.ClusterPlan;
import org.grampus.perf.process.Leftovers;
import org.grampus.perf.result.Run;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** What an operation costs clusters of several sizes, see {@link ClusterMeasurement}. */
@Command(
    name = "servers",
    description = {
      "HDFS, ZooKeeper, a stock HMaster and one region server of Grampus, then two, then three,"
          + " with as many rows, regions and clients for each: CPU of the region servers for a"
          + " durable put, a get and a scanned row of 1 KB, the median of rounds with fresh"
          + " clusters.",
      "Fails when it is more than 15 %% above that of the smallest cluster."
    })
final class Servers extends MeasuringCommand {
  private static final int DATA_NODES = 1;
  private static final int MASTERS = 1;
  private static final int SESSION_MILLIS = 20_000;

  @Option(
      names = "--servers",
      paramLabel = "N",
      split = ",",
      converter = AtLeastOne.class,
      defaultValue = "1,2,3",
      description =
          "Region servers, two numbers at least, with commas between. Default: ${DEFAULT-VALUE}")
  private List<Integer> servers;

  @Option(
      names = "--rows",
      paramLabel = "N",
      converter = AtLeastOne.class,
      defaultValue = "100000",
      description = "Rows of each region server. Default: ${DEFAULT-VALUE}")
  private int rows;

  @Option(
      names = "--repeat",
      paramLabel = "N",
      converter = AtLeastOne.class,
      defaultValue = "2",
      description = "Counted runs of each work in each round. Default: ${DEFAULT-VALUE}")
  private int repeat;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      converter = AtLeastOne.class,
      defaultValue = "3",
      description =
          "Rounds, each with a fresh cluster of each size: processes of the same server differ by"
              + " up to 20 %%. Default: ${DEFAULT-VALUE}")
  private int rounds;

  private final List<Run> runs = new ArrayList<>();

  @Override
  protected void measure() throws Exception {
    List<Integer> sizes = sizes(servers);
    for (int round = 1; round <= rounds; round++) {
      note("round " + round + " of " + rounds);
      for (int size : ofRound(round, sizes)) {
        measure(round, size);
      }
    }
    report(CostsByServerCount.of(runs));
  }

  /**
   * Each number once, the least first.
   *
   * @throws ToolException when there is one alone
   */
  static List<Integer> sizes(List<Integer> servers) throws ToolException {
    List<Integer> sizes = servers.stream().distinct().sorted().toList();
    if (sizes.size() < 2) {
      throw new ToolException(
          "--servers needs two numbers at least: what an operation costs one cluster is compared"
              + " with what it costs another");
    }
    return sizes;
  }

  /** In every second round the largest cluster is the first: a machine's speed drifts. */
  static List<Integer> ofRound(int round, List<Integer> sizes) {
    List<Integer> order = new ArrayList<>(sizes);
    if (round % 2 == 0) {
      Collections.reverse(order);
    }
    return order;
  }

  private void measure(int round, int size) throws Exception {
    Path place = work().resolve("cluster-" + round + "-" + size);
    ClusterPlan plan = new ClusterPlan(DATA_NODES, MASTERS, size, SESSION_MILLIS, Map.of());
    Map<String, Integer> figures =
        Map.of(CostsByServerCount.SERVERS, size, CostsByServerCount.ROUND, round);
    try (Cluster cluster = Cluster.start(checkout(), place, plan)) {
      note("region servers: " + size);
      Path log = work().resolve("client.log");
      for (Run run : new ClusterMeasurement(cluster, size, rows, log).measure(repeat)) {
        runs.add(run.figures(figures));
      }
    }
    write(settings(), runs); // what was measured is not to be lost by the next cluster
    Leftovers.delete(place);
  }

  private static void report(CostsByServerCount costs) throws ToolException {
    System.out.println(costs.table());
    List<String> grown = costs.grown();
    if (!grown.isEmpty()) {
      throw new ToolException(String.join("\n", grown));
    }
    System.out.println("checked: " + costs.sentence());
  }

  private Map<String, Object> settings() {
    Map<String, Object> settings = new LinkedHashMap<>();
    settings.put("servers", servers);
    settings.put("rowsOfServer", rows);
    settings.put("regionsOfServer", ClusterMeasurement.REGIONS);
    settings.put("clientsOfServer", ClusterMeasurement.CLIENTS);
    settings.put("scans", ClusterMeasurement.SCANS);
    settings.put("repeat", repeat);
    settings.put("rounds", rounds);
    return settings;
  }
}
