package org.grampus.perf.command;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.regionserver.DisabledRegionSplitPolicy;
import org.grampus.compat.suite.target.ServerKind;
import org.grampus.perf.ToolException;
import org.grampus.perf.process.ClientProgram;
import org.grampus.perf.process.MeasuredServer;
import org.grampus.perf.process.MetricsLine;
import org.grampus.perf.process.ServerPlan;
import org.grampus.perf.result.ResultTable;
import org.grampus.perf.result.Run;
import org.grampus.perf.stock.PeCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Random gets over a quarter of the block cache beside full scans of four times the cache, which
 * let their pages in or do not, each twice.
 */
@Command(
    name = "hot-set",
    description = {
      "randomRead over a quarter of the block cache beside full scans of four times the cache, with"
          + " setCacheBlocks(false) and without: how many of their pages the gets find in the"
          + " cache.",
      "Fails when that is not above 90 %%."
    })
final class HotSet extends MeasuringCommand {
  private static final String HOT = "Hot";
  private static final String BIG = "TestTable";
  private static final int CLIENTS = 4;
  private static final int ROUNDS_MAX = 10;
  private static final long HEAP_MB = 256;
  private static final long POLL_MILLIS = 200;

  @Option(
      names = "--memory",
      paramLabel = "MB",
      defaultValue = "1024",
      description = "Memory of the server. Default: ${DEFAULT-VALUE}")
  private long memoryMb;

  private final List<Run> runs = new ArrayList<>();
  private final List<String> faults = new ArrayList<>();
  private final ResultTable table =
      new ResultTable(
          "cacheBlocks", "rows/s", "gets", "gets/s", "missed", "hits, %", "counted apart, %");
  private MeasuredServer server;
  private Meter meter;
  private long bigRows;
  private long hotRows;
  private PageCounts alone;

  @Override
  protected void measure() throws Exception {
    meter = new Meter(work().resolve("client.log"), false);
    ServerPlan plan =
        ServerPlan.of(ServerKind.GRAMPUS).memoryMb(memoryMb).heapMb(HEAP_MB).publishingMetrics();
    try (MeasuredServer started =
        MeasuredServer.start(checkout(), work().resolve("server"), plan)) {
      server = started;
      load(server.metrics().awaitNow().value("block_cache.capacity_bytes"));
      for (boolean cacheBlocks : new boolean[] {false, true, false, true}) {
        beside(cacheBlocks);
      }
      note(server.checkMemory(memoryMb));
      server.stop();
    }
    System.out.println(table);
    write(Map.of("memoryMb", memoryMb, "heapMb", HEAP_MB), runs);
    if (!faults.isEmpty()) {
      throw new ToolException(
          "the hot set did not stay in the cache: " + String.join("; ", faults));
    }
  }

  /** Fills both tables, and scans the large one alone. */
  private void load(long cacheBytes) throws ToolException, IOException, InterruptedException {
    bigRows = cacheBytes / 1000 + 1; // a row is 1,000 bytes of value, and its key
    hotRows = cacheBytes / 16_000;
    load(HOT, hotRows);
    load(BIG, bigRows);
    dropPages();
    int mark = mark();
    Run scan = scan(false);
    alone = counted(mark);
    if (alone.bytes() < 4 * cacheBytes) {
      throw new ToolException(
          "the scan has read "
              + alone.bytes()
              + " bytes, less than four times the cache's "
              + cacheBytes);
    }
    note(
        ResultTable.cell(
            "a scan alone: %.0f rows/s, %d pages, %d bytes; the block cache: %d bytes",
            scan.rowsPerSecond(), alone.missed(), alone.bytes(), cacheBytes));
  }

  private void load(String name, long rows)
      throws ToolException, IOException, InterruptedException {
    note("loading " + name + ": " + CLIENTS * rows + " rows");
    String unsplit = "--splitPolicy=" + DisabledRegionSplitPolicy.class.getName();
    meter.work(server, pe("--table=" + name, "--rows=" + rows, unsplit, "sequentialWrite", "4"));
    meter.compact(server, name);
  }

  private static List<String> pe(String... arguments) {
    return PeCommand.arguments(List.of(arguments));
  }

  /** The large table's pages leave the cache. */
  private void dropPages() throws ToolException, IOException {
    try (Connection connection = ConnectionFactory.createConnection(server.clientConfiguration());
        Admin admin = connection.getAdmin()) {
      if (admin.clearBlockCache(TableName.valueOf(BIG)).getExceptionCount() > 0) {
        throw new ToolException(BIG + "'s pages did not leave the cache");
      }
    }
  }

  /** The line of metrics from which on {@link #counted} counts. */
  private int mark() throws ToolException, IOException, InterruptedException {
    server.metrics().awaitNow();
    return server.metrics().lines().size() - 1;
  }

  private PageCounts counted(int mark) throws ToolException, IOException, InterruptedException {
    server.metrics().awaitNow();
    List<MetricsLine> lines = server.metrics().lines();
    return PageCounts.of(lines.subList(mark, lines.size()));
  }

  private Run scan(boolean cacheBlocks) throws ToolException, IOException, InterruptedException {
    return meter.measure(
        server,
        "scan, cacheBlocks=" + cacheBlocks,
        pe(
            "--rows=" + CLIENTS * bigRows,
            "--caching=1000",
            "--cacheBlocks=" + cacheBlocks,
            "scan",
            "1"),
        1);
  }

  /** One scan beside gets. */
  private void beside(boolean cacheBlocks) throws ToolException, IOException, InterruptedException {
    dropPages();
    long pages = warm();
    try (ClientProgram.Background gets = startGets()) {
      int mark = mark();
      Run scan = scan(cacheBlocks);
      PageCounts both = counted(mark);
      gets.require();
      judgeOrNote(scan, cacheBlocks, both, pages);
    }
  }

  /** Gets until the hot table is in the cache; returns how many pages one asks for. */
  private long warm() throws ToolException, IOException, InterruptedException {
    for (int round = 0; round < ROUNDS_MAX; round++) {
      MetricsLine before = server.metrics().awaitNow();
      meter.work(server, pe("--table=" + HOT, "--rows=" + hotRows, "randomRead", "4"));
      PageCounts read = PageCounts.between(before, server.metrics().awaitNow());
      if (read.missed() * 100 < read.asked()) {
        return (read.asked() + 2 * hotRows) / (CLIENTS * hotRows);
      }
    }
    throw new ToolException(
        ROUNDS_MAX + " times as many gets as rows have not brought the hot set into the cache");
  }

  /** More gets than any scan takes; returns once some are answered. */
  private ClientProgram.Background startGets()
      throws ToolException, IOException, InterruptedException {
    long before = server.metrics().awaitNow().value("block_cache.hit_count");
    ClientProgram.Background gets =
        server
            .client(pe("--table=" + HOT, "--rows=" + hotRows, "--cycles=1000", "randomRead", "4"))
            .inBackground(work().resolve("gets.log"));
    while (server.metrics().awaitNow().value("block_cache.hit_count") <= before + hotRows) {
      gets.require();
      Thread.sleep(POLL_MILLIS);
    }
    return gets;
  }

  /** Counts that cannot be are a fault of this scan, and end none of the others. */
  private void judgeOrNote(Run scan, boolean cacheBlocks, PageCounts both, long pages) {
    try {
      judge(scan, cacheBlocks, both, pages);
    } catch (ToolException e) {
      faults.add("scan, cacheBlocks=" + cacheBlocks + ": " + e.getMessage());
    }
  }

  private void judge(Run scan, boolean cacheBlocks, PageCounts both, long pages)
      throws ToolException {
    GetsBesideScan gets = GetsBesideScan.of(both, alone, pages);
    GetsBesideScan apart = cacheBlocks ? gets : GetsBesideScan.caching(both, pages);
    double perSecond = gets.number() * 1000 / both.millis();
    table.row(
        String.valueOf(cacheBlocks),
        ResultTable.cell("%.0f", scan.rowsPerSecond()),
        ResultTable.cell("%.0f", gets.number()),
        ResultTable.cell("%.0f", perSecond),
        ResultTable.cell("%d", gets.missed()),
        ResultTable.cell("%.2f", gets.percent()),
        cacheBlocks ? "" : ResultTable.cell("%.2f", apart.percent()));
    Map<String, Object> figures = new LinkedHashMap<>();
    figures.put("gets", gets.number());
    figures.put("getsPerSecond", perSecond);
    figures.put("getPagesMissed", gets.missed());
    figures.put("getHitPercent", gets.percent());
    runs.add(scan.besideOtherWork().figures(figures));
    String fault = gets.fault(apart);
    if (!fault.isEmpty()) {
      faults.add(fault);
    }
  }
}
