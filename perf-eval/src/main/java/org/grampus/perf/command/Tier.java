package org.grampus.perf.command;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.grampus.compat.suite.target.ServerKind;
import org.grampus.perf.ToolException;
import org.grampus.perf.process.Leftovers;
import org.grampus.perf.process.MeasuredServer;
import org.grampus.perf.process.MetricsLine;
import org.grampus.perf.process.ServerPlan;
import org.grampus.perf.result.ResultTable;
import org.grampus.perf.result.Run;
import org.grampus.perf.stock.PeCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** randomRead over a table of twice the block cache's memory, by where its pages were found. */
@Command(
    name = "tier",
    description = {
      "randomRead over twice the block cache: without a second tier, with one that has room for the"
          + " table, and with the same after a restart. Pages by where they were found, gets per"
          + " second, CPU per get.",
      "A machine whose page cache holds the table shows what the tier saves in CPU only; to see a"
          + " disk's share, let the machine have less memory than the table."
    })
final class Tier extends MeasuringCommand {
  private static final int CLIENTS = 4;
  private static final int ROW_BYTES = 1100; // 1,000 bytes of value, and its key
  private static final long MEMORY_MB = 4096;
  private static final long HEAP_MB = 512;
  private static final int WARMUPS = 3;

  @Option(
      names = "--rows",
      defaultValue = "400000",
      description = "Rows of the table. Default: ${DEFAULT-VALUE}")
  private long rows;

  @Option(
      names = "--paths",
      paramLabel = "DIR",
      split = ",",
      description = "Directories of the tier, with commas between. Default: twice below build/")
  private List<Path> paths = new ArrayList<>();

  private final List<Run> runs = new ArrayList<>();
  private final ResultTable table =
      new ResultTable(
          "cache", "memory %", "tier %", "files %", "gets/s", "µs/get", "dropped", "damaged");
  private Meter meter;

  @Override
  protected void measure() throws Exception {
    meter = new Meter(work().resolve("client.log"), false);
    long tableMb = (rows * ROW_BYTES) >> 20;
    ServerPlan memory =
        ServerPlan.of(ServerKind.GRAMPUS)
            .memoryMb(MEMORY_MB)
            .heapMb(HEAP_MB)
            .setting(
                "hfile.block.cache.size",
                ResultTable.cell("%.5f", tableMb / 2.0 / (MEMORY_MB - HEAP_MB)))
            .publishingMetrics();
    ServerPlan tiered =
        memory
            .setting("hbase.bucketcache.ioengine", "files:" + tierFiles())
            .setting("hbase.bucketcache.size", tableMb * 3 / 2 + 64)
            .setting("hbase.bucketcache.persistent.path", work().resolve("index"));
    Path first = work().resolve("memory");
    serve("memory", first, memory, true);
    Leftovers.delete(first);
    serve("tiered", work().resolve("tiered"), tiered, true);
    serve("restarted", work().resolve("tiered"), tiered, false);
    System.out.println(table);
    write(Map.of("rows", rows, "memoryMb", MEMORY_MB, "heapMb", HEAP_MB), runs);
  }

  private String tierFiles() {
    List<Path> directories = paths.isEmpty() ? List.of(work(), work()) : paths;
    List<String> files = new ArrayList<>();
    for (Path directory : directories) {
      String name = "grampus-tier." + ProcessHandle.current().pid() + "." + files.size();
      files.add(Leftovers.announce(directory.toAbsolutePath().resolve(name)).toString());
    }
    return String.join(",", files);
  }

  /** Starts a server, loads the table unless it is there, and measures one reading of all rows. */
  private void serve(String name, Path directory, ServerPlan plan, boolean fresh)
      throws ToolException, IOException, InterruptedException {
    try (MeasuredServer server = MeasuredServer.start(checkout(), directory, plan)) {
      if (fresh) {
        note(name + ": loading " + rows + " rows");
        meter.work(server, pe("sequentialWrite"));
        meter.compact(server, "TestTable");
        for (int i = 0; i < WARMUPS; i++) {
          meter.work(server, pe("randomRead"));
        }
      }
      read(server, name);
      note(server.checkMemory(MEMORY_MB));
      server.stop();
    }
  }

  private List<String> pe(String command) {
    return PeCommand.arguments(
        List.of("--rows=" + rows / CLIENTS, command, String.valueOf(CLIENTS)));
  }

  private void read(MeasuredServer server, String name)
      throws ToolException, IOException, InterruptedException {
    MetricsLine before = server.metrics().awaitNow();
    Run run = meter.measure(server, name, pe("randomRead"), 1);
    MetricsLine after = server.metrics().awaitNow();
    long memory = grown(before, after, "block_cache.hit_count");
    long tier = grown(before, after, "block_cache_tier.hit_count");
    long files = grown(before, after, "files.page_reads");
    long dropped = after.value("block_cache_tier.drop_count");
    long damaged = after.value("block_cache_tier.damaged_count");
    table.row(
        name,
        percent(memory, memory + tier + files),
        percent(tier, memory + tier + files),
        percent(files, memory + tier + files),
        ResultTable.cell("%.0f", run.rowsPerSecond()),
        ResultTable.cell("%.2f", run.serverMicrosPerOperation()),
        ResultTable.cell("%d", dropped),
        ResultTable.cell("%d", damaged));
    Map<String, Object> figures = new LinkedHashMap<>();
    figures.put("memoryPages", memory);
    figures.put("tierPages", tier);
    figures.put("filePages", files);
    figures.put("dropped", dropped);
    figures.put("damaged", damaged);
    runs.add(run.figures(figures));
  }

  private static String percent(long part, long all) {
    return ResultTable.cell("%.1f", 100.0 * part / Math.max(all, 1));
  }

  private static long grown(MetricsLine before, MetricsLine after, String name) {
    return after.value(name) - before.value(name);
  }
}
