package org.grampus.perf.command;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.grampus.perf.ToolException;
import org.grampus.perf.cluster.Cluster;
import org.grampus.perf.cluster.ClusterPlan;
import org.grampus.perf.fleet.FleetRun;
import org.grampus.perf.fleet.Phase;
import org.grampus.perf.result.ResultTable;
import org.grampus.perf.result.Run;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** What many region servers cost a stock HMaster, see {@link FleetRun}. */
@Command(
    name = "many-servers",
    description = {
      "HDFS, ZooKeeper, two stock HMasters, one region server of Grampus with hbase:meta, and stubs"
          + " that register, report and take orders as region servers do.",
      "Says what the master, hbase:meta and the name node take while servers come, tables are made,"
          + " servers die, the balancer plans, regions are moved and the master dies. Fails when an order or a"
          + " report is refused."
    })
final class ManyServers extends MeasuringCommand {
  private static final int DATA_NODES = 1;
  private static final int MASTERS = 2;
  private static final int REGION_SERVERS = 1;
  private static final int SESSION_MILLIS = 20_000;
  private static final int DYING_PART = 10;

  /** Between two runs of the balancer by itself: never here. */
  private static final String NEVER_MILLIS = "2000000000";

  @Option(
      names = "--servers",
      paramLabel = "N",
      converter = AtLeastOne.class,
      defaultValue = "100",
      description = "Stubs. Default: ${DEFAULT-VALUE}")
  private int servers;

  @Option(
      names = "--regions",
      paramLabel = "N",
      converter = AtLeastOne.class,
      defaultValue = "10000",
      description = "Regions of all tables, 10,000 in each. Default: ${DEFAULT-VALUE}")
  private int regions;

  @Option(
      names = "--idle",
      paramLabel = "SECONDS",
      converter = AtLeastOne.class,
      defaultValue = "30",
      description = "Time without changes. Default: ${DEFAULT-VALUE}")
  private int idleSeconds;

  @Option(
      names = "--report",
      paramLabel = "SECONDS",
      converter = AtLeastOne.class,
      defaultValue = "3",
      description =
          "From one report of a server's load to its next, hbase.regionserver.msginterval."
              + " Default: ${DEFAULT-VALUE}")
  private int reportSeconds;

  @Option(
      names = "--master-heap",
      paramLabel = "MB",
      converter = AtLeastOne.class,
      defaultValue = "4096",
      description = "Heap of a master, in MiB. Default: ${DEFAULT-VALUE}")
  private int masterHeapMb;

  @Option(
      names = "--dir",
      description =
          "An empty directory for all that the cluster keeps, which stays. Default: one that goes")
  private Path directory;

  private final ResultTable table =
      new ResultTable(
          "phase",
          "items",
          "time",
          "HMaster CPU",
          "hbase:meta CPU",
          "name node CPU",
          "reports",
          "late",
          "missed");

  @Override
  protected void measure() throws Exception {
    Path place = directory == null ? work() : directory;
    List<Phase> phases;
    try (Cluster cluster = Cluster.start(checkout(), place, plan());
        FleetRun run = FleetRun.start(cluster, reportSeconds)) {
      note("the cluster serves; its logs are in " + cluster.directory());
      live(run);
      phases = run.phases();
      System.out.print(table + "\n");
    }
    write(settings(), phases.stream().map(ManyServers::run).toList());
  }

  private ClusterPlan plan() {
    return new ClusterPlan(
        DATA_NODES,
        MASTERS,
        REGION_SERVERS,
        SESSION_MILLIS,
        Map.of(
            "hbase.balancer.period",
            NEVER_MILLIS,
            "hbase.regions.slop",
            "0.01",
            "hbase.regionserver.msginterval",
            String.valueOf(TimeUnit.SECONDS.toMillis(reportSeconds))),
        Optional.of("-Xmx" + masterHeapMb + "m"));
  }

  private void live(FleetRun run) throws Exception {
    int dying = Math.max(1, servers / DYING_PART);
    show(run.register(servers));
    show(run.createTables(regions));
    show(run.idle(idleSeconds));
    show(run.die(1));
    show(run.die(dying));
    show(run.register(dying + 1));
    show(run.plan());
    show(run.move(dying + 1));
    show(run.failOver());
    show(run.die(1));
  }

  private void show(Phase phase) throws ToolException {
    note(phase.name() + ": " + ResultTable.cell("%d, %.1f s", phase.items(), phase.seconds()));
    table.row(
        phase.name(),
        String.valueOf(phase.items()),
        seconds(phase.seconds()),
        seconds(phase.masterCpuSeconds()),
        seconds(phase.metaCpuSeconds()),
        seconds(phase.nameNodeCpuSeconds()),
        String.valueOf(phase.reports().taken()),
        String.valueOf(phase.reports().late()),
        String.valueOf(phase.reports().missed()));
  }

  private static String seconds(double seconds) {
    return ResultTable.cell("%.1f s", seconds);
  }

  private static Run run(Phase phase) {
    return Run.ofFigures("hmaster", phase.name(), phase.figures());
  }

  private Map<String, Object> settings() {
    Map<String, Object> settings = new LinkedHashMap<>();
    settings.put("servers", servers);
    settings.put("regions", regions);
    settings.put("idleSeconds", idleSeconds);
    settings.put("reportSeconds", reportSeconds);
    settings.put("masterHeapMb", masterHeapMb);
    return settings;
  }
}
