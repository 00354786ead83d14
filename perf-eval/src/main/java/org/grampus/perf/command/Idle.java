package org.grampus.perf.command;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.io.compress.Compression;
import org.apache.hadoop.hbase.util.Bytes;
import org.grampus.compat.suite.target.FreePorts;
import org.grampus.compat.suite.target.ServerKind;
import org.grampus.perf.ToolException;
import org.grampus.perf.compare.FlightTable;
import org.grampus.perf.process.InfoPages;
import org.grampus.perf.process.MeasuredServer;
import org.grampus.perf.process.PagePolls;
import org.grampus.perf.process.ProcSample;
import org.grampus.perf.process.PrometheusText;
import org.grampus.perf.process.ServerPlan;
import org.grampus.perf.process.SinkFile;
import org.grampus.perf.result.ResultTable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** A standalone server on a fresh directory, left alone. */
@Command(
    name = "idle",
    description = {
      "Resident memory and CPU over 30 s of a server without clients.",
      "Fails above 400 MB or 2 %% of a core.",
      "With --regions a server that has them, over 60 s: started again alone, and then with a sink"
          + " that gets all metrics each 10 s, and a scrape of /prometheus each 10 s. Fails when it"
          + " takes 1 %% of a core more than alone."
    })
final class Idle extends MeasuringCommand {
  /** The compilers work off what the start has left them. */
  private static final long QUIET_SECONDS = 20;

  private static final long SECONDS = 30;
  private static final long REGIONS_QUIET_SECONDS = 120;
  private static final long REGIONS_SECONDS = 60;

  /** What is looked at each 10 s alone is compiled after a quarter of an hour. */
  private static final int WARM_SCRAPES = 100;

  private static final int PERIOD_SECONDS = 10;

  @Option(
      names = "--regions",
      paramLabel = "N",
      converter = AtLeastOne.class,
      description = "Regions of a table without rows. Default: no table")
  private Integer regions;

  @Override
  protected void measure() throws Exception {
    if (regions == null) {
      measureEmpty();
    } else {
      measureRegions();
    }
  }

  private void measureEmpty() throws Exception {
    IdleShare share;
    try (MeasuredServer server = start(ServerPlan.of(ServerKind.GRAMPUS))) {
      awaitQuiet(server);
      share = shareOf(server, SECONDS);
      server.stop();
    }
    write(Map.of("seconds", SECONDS), List.of(share.run("idle")));
    String found =
        ResultTable.cell(
            "idle server holds %d MB and takes %.1f %% of a core", share.rssMb(), share.percent());
    if (!share.isWithinLimits()) {
      throw new ToolException(found + IdleShare.limits());
    }
    System.out.println("checked: " + found);
  }

  private void measureRegions() throws Exception {
    int port = FreePorts.next();
    ServerPlan plan =
        ServerPlan.of(ServerKind.GRAMPUS).setting("hbase.regionserver.info.port", port);
    InfoPages pages = new InfoPages(port);
    makeTable(plan);
    IdleShare alone = alone(plan, pages);
    IdleShare observed = observed(plan.sinkingEach(PERIOD_SECONDS), pages);
    write(
        Map.of("seconds", REGIONS_SECONDS, "regions", regions, "periodSeconds", PERIOD_SECONDS),
        List.of(alone.run("idle-regions"), observed.run("idle-regions-observed")));
    String found =
        ResultTable.cell(
            "idle server with %d regions takes %.2f %% of a core, of which %.2f %% are metrics",
            regions, observed.percent(), observed.beyond(alone));
    if (!observed.isWithinLimits(alone)) {
      throw new ToolException(found + IdleShare.limitOfMetrics());
    }
    System.out.println("checked: " + found);
  }

  /** In a process of its own: one that has made regions is another than one that opens them. */
  private void makeTable(ServerPlan plan) throws Exception {
    try (MeasuredServer server = start(plan)) {
      note("making a table of " + regions + " regions");
      FlightTable.create(server, "idle", Compression.Algorithm.NONE, starts(regions));
      server.stop();
    }
  }

  private IdleShare alone(ServerPlan plan, InfoPages pages) throws Exception {
    try (MeasuredServer server = start(plan)) {
      warm(server, pages);
      TimeUnit.SECONDS.sleep(REGIONS_QUIET_SECONDS);
      IdleShare share = shareOf(server, REGIONS_SECONDS);
      requireRegions(pages.get(InfoPages.PROMETHEUS));
      server.stop();
      return share;
    }
  }

  private IdleShare observed(ServerPlan plan, InfoPages pages) throws Exception {
    try (MeasuredServer server = start(plan)) {
      IdleShare share;
      long began;
      warm(server, pages);
      try (PagePolls scrape = new PagePolls(pages, Map.of(InfoPages.PROMETHEUS, PERIOD_SECONDS))) {
        scrape.begin();
        TimeUnit.SECONDS.sleep(REGIONS_QUIET_SECONDS);
        began = System.currentTimeMillis();
        share = shareOf(server, REGIONS_SECONDS);
        note("scrapes: " + scrape.answers());
      }
      requireRegions(pages.get(InfoPages.PROMETHEUS));
      requireSink(SinkFile.periods(server.metricsFile(), began));
      server.stop();
      return share;
    }
  }

  private MeasuredServer start(ServerPlan plan) throws Exception {
    return MeasuredServer.start(checkout(), work().resolve("server"), plan);
  }

  private static void awaitQuiet(MeasuredServer server) throws Exception {
    server.awaitIdle();
    TimeUnit.SECONDS.sleep(QUIET_SECONDS);
  }

  private void warm(MeasuredServer server, InfoPages pages) throws Exception {
    awaitQuiet(server); // behind it HBase's sources have restarted the metrics system
    note("scraping " + WARM_SCRAPES + " times, and then quiet");
    for (int scrape = 0; scrape < WARM_SCRAPES; scrape++) {
      requireRegions(pages.get(InfoPages.PROMETHEUS));
    }
  }

  private static IdleShare shareOf(MeasuredServer server, long seconds) throws Exception {
    ProcSample before = server.sample();
    TimeUnit.SECONDS.sleep(seconds);
    return IdleShare.of(before, server.sample(), seconds);
  }

  private void requireRegions(String metrics) throws ToolException, IOException {
    double found = PrometheusText.value(metrics, "server_region_count");
    if (found < regions) {
      throw new ToolException(
          ResultTable.cell("the server has %.0f regions, not %d", found, regions));
    }
  }

  private static void requireSink(long periods) throws ToolException {
    long least = REGIONS_SECONDS / PERIOD_SECONDS - 1;
    if (periods < least) {
      throw new ToolException(
          "the sink has written " + periods + " times, not " + least + " times at least");
    }
  }

  /** Keys at which all regions but the first begin. */
  static byte[][] starts(int regions) {
    return IntStream.range(1, regions)
        .mapToObj(number -> Bytes.toBytes(ResultTable.cell("%08d", number)))
        .toArray(byte[][]::new);
  }
}
