package org.grampus.perf.command;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
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
          + " durable put, a get and a scanned row of 1 KB.",
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
      description = "Region servers, with commas between. Default: ${DEFAULT-VALUE}")
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
      description = "Counted runs of each work. Default: ${DEFAULT-VALUE}")
  private int repeat;

  @Override
  protected void measure() throws Exception {
    List<Run> runs = new ArrayList<>();
    for (int count : new TreeSet<>(servers)) {
      Path place = work().resolve("cluster-" + count);
      ClusterPlan plan = new ClusterPlan(DATA_NODES, MASTERS, count, SESSION_MILLIS, Map.of());
      try (Cluster cluster = Cluster.start(checkout(), place, plan)) {
        note("region servers: " + count);
        Path log = work().resolve("client.log");
        runs.addAll(new ClusterMeasurement(cluster, count, rows, log).measure(repeat));
      }
      Leftovers.delete(place);
    }
    write(settings(), runs);
    report(CostsByServerCount.of(runs));
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
    return settings;
  }
}
