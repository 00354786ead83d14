package org.grampus.perf.command;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.grampus.compat.suite.target.ServerKind;
import org.grampus.perf.ToolException;
import org.grampus.perf.compare.FlightCodec;
import org.grampus.perf.compare.FlightTable;
import org.grampus.perf.process.Leftovers;
import org.grampus.perf.process.MeasuredServer;
import org.grampus.perf.process.ServerPlan;
import org.grampus.perf.result.ResultTable;
import org.grampus.perf.result.Run;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The demo's table under each compression, on both servers, beside Parquet. */
@Command(
    name = "flights",
    description = {
      "Bytes on disk of the demo's table, 336,776 rows of 19 columns, imported and major-compacted"
          + " under each compression, beside a stock HBase and Parquet, and the digest of its"
          + " cells.",
      "Fails when a table of Grampus takes more than Parquet and 15 %%, and when two tables do not"
          + " hold the same cells."
    })
final class Flights extends MeasuringCommand {
  private static final long HEAP_MB = 256;

  @Option(names = "--target", description = "grampus or hbase. Default: one after the other")
  private ServerKind target;

  @Option(
      names = "--compression",
      split = ",",
      description = "${COMPLETION-CANDIDATES}, with commas between. Default: all, ZSTD on Grampus")
  private List<FlightCodec> chosen = new ArrayList<>();

  @Option(
      names = "--memory",
      paramLabel = "MB",
      defaultValue = "1024",
      description = "Memory of Grampus. Default: ${DEFAULT-VALUE}")
  private long memoryMb;

  private final List<Run> runs = new ArrayList<>();
  private final ResultTable table =
      new ResultTable("server", "compression", "bytes", "of Parquet's", "cells");
  private Path log;
  private TableDigest cells;

  @Override
  protected void measure() throws Exception {
    log = work().resolve("client.log");
    for (ServerKind kind : ServerKind.values()) {
      if (target == null || target == kind) {
        measure(kind);
      }
    }
    System.out.println(table);
    write(Map.of("memoryMb", memoryMb, "heapMb", HEAP_MB), runs);
    System.out.println("checked: the same cells in every table: " + cells);
  }

  private void measure(ServerKind kind) throws Exception {
    Path directory = work().resolve(kind.name().toLowerCase(Locale.ROOT));
    try (MeasuredServer server = MeasuredServer.start(checkout(), directory, plan(kind))) {
      for (FlightCodec codec : codecs(kind)) {
        note("importing into " + server + ", compression " + codec);
        measure(server, codec);
      }
      if (kind == ServerKind.GRAMPUS) {
        note(server.checkMemory(memoryMb));
      }
      server.stop();
    }
    Leftovers.delete(directory);
  }

  private List<FlightCodec> codecs(ServerKind kind) {
    if (!chosen.isEmpty()) {
      return chosen;
    }
    return kind == ServerKind.GRAMPUS
        ? List.of(FlightCodec.values())
        : List.of(FlightCodec.NONE, FlightCodec.SNAPPY);
  }

  private ServerPlan plan(ServerKind kind) {
    ServerPlan plan = ServerPlan.of(kind);
    if (kind == ServerKind.GRAMPUS) {
      return plan.memoryMb(memoryMb).heapMb(HEAP_MB);
    }
    // It leaves files that were replaced for two minutes, and has no ZSTD, unless told otherwise.
    return plan.setting("hbase.hfile.compaction.discharger.interval", 1000)
        .setting(
            "hbase.io.compress.zstd.codec", "org.apache.hadoop.hbase.io.compress.zstd.ZstdCodec");
  }

  private void measure(MeasuredServer server, FlightCodec codec) throws Exception {
    String name = "flights_" + codec;
    FlightTable.create(server, name, codec.compression());
    server.client(FlightTable.imported(checkout(), name)).run(log);
    new Meter(log, false).compact(server, name);
    long bytes = server.awaitOneStoreFile(name);
    TableDigest digest = TableDigest.of(server, log, name);
    table.row(
        server.toString(),
        codec.toString(),
        ResultTable.cell("%d", bytes),
        ResultTable.cell("%.2f", (double) bytes / codec.parquetBytes()),
        digest.toString());
    runs.add(
        Run.ofFigures(
            server.toString(),
            name,
            Map.of(
                "bytes", bytes, "parquetBytes", codec.parquetBytes(), "cells", digest.toString())));
    if (server.kind() == ServerKind.GRAMPUS && bytes > codec.parquetBytes() * 115 / 100) {
      throw new ToolException(
          name
              + " takes "
              + bytes
              + " bytes, more than Parquet's "
              + codec.parquetBytes()
              + " and 15 %");
    }
    if (cells != null && !cells.equals(digest)) {
      throw new ToolException(
          name + " on " + server + " holds other cells than the tables before it: " + digest);
    }
    cells = digest;
  }
}
