package org.grampus.perf.command;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.io.compress.Compression;
import org.apache.hadoop.hbase.util.Bytes;
import org.grampus.compat.suite.target.ServerKind;
import org.grampus.perf.ToolException;
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
  /**
   * Compressions, with the bytes of a Parquet file of the same rows and keys. pyarrow 26: text,
   * columns with dictionaries, keys DELTA_BYTE_ARRAY, row groups of 20,000 rows; without the cells'
   * timestamps.
   */
  enum Codec {
    NONE(10_942_284),
    SNAPPY(7_175_063),
    ZSTD(5_488_743);

    private final long parquetBytes;

    Codec(long parquetBytes) {
      this.parquetBytes = parquetBytes;
    }
  }

  private static final long HEAP_MB = 256;
  private static final long DEADLINE_SECONDS = 60;
  private static final String KEY = "--key=year,month,day,carrier,flight,origin,sched_dep_time";

  @Option(names = "--target", description = "grampus or hbase. Default: one after the other")
  private ServerKind target;

  @Option(
      names = "--compression",
      split = ",",
      description = "${COMPLETION-CANDIDATES}, with commas between. Default: all, ZSTD on Grampus")
  private List<Codec> chosen = new ArrayList<>();

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
      for (Codec codec : codecs(kind)) {
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

  private List<Codec> codecs(ServerKind kind) {
    if (!chosen.isEmpty()) {
      return chosen;
    }
    return kind == ServerKind.GRAMPUS ? List.of(Codec.values()) : List.of(Codec.NONE, Codec.SNAPPY);
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

  private void measure(MeasuredServer server, Codec codec) throws Exception {
    String name = "flights_" + codec;
    create(server, name, codec);
    String file = checkout().perfEval().resolve("data/flights.csv.gz").toString();
    server.client(List.of("import", "--quiet", file, name, KEY)).run(log);
    long bytes = compact(server, name);
    TableDigest digest = TableDigest.of(server, log, name);
    table.row(
        server.toString(),
        codec.toString(),
        ResultTable.cell("%d", bytes),
        ResultTable.cell("%.2f", (double) bytes / codec.parquetBytes),
        digest.toString());
    runs.add(
        Run.ofFigures(
            server.toString(),
            name,
            Map.of(
                "bytes", bytes, "parquetBytes", codec.parquetBytes, "cells", digest.toString())));
    if (server.kind() == ServerKind.GRAMPUS && bytes > codec.parquetBytes * 115 / 100) {
      throw new ToolException(
          name
              + " takes "
              + bytes
              + " bytes, more than Parquet's "
              + codec.parquetBytes
              + " and 15 %");
    }
    if (cells != null && !cells.equals(digest)) {
      throw new ToolException(
          name + " on " + server + " holds other cells than the tables before it: " + digest);
    }
    cells = digest;
  }

  /**
   * A table of one region: a stock HBase would split it at 256 MB, and would keep the files of the
   * region that was split.
   */
  private static void create(MeasuredServer server, String name, Codec codec) throws IOException {
    try (Connection connection = ConnectionFactory.createConnection(server.clientConfiguration());
        Admin admin = connection.getAdmin()) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(TableName.valueOf(name))
              .setColumnFamily(
                  ColumnFamilyDescriptorBuilder.newBuilder(Bytes.toBytes("f"))
                      .setCompressionType(Compression.Algorithm.valueOf(codec.name()))
                      .build())
              .setSplitEnabled(false)
              .build());
    }
  }

  /** Until the one region has one store file, and those that it replaces are gone; its bytes. */
  private long compact(MeasuredServer server, String name)
      throws ToolException, IOException, InterruptedException {
    new Meter(log, false).compact(server, name);
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(DEADLINE_SECONDS);
    while (true) {
      List<Path> files = storeFiles(server.rootDir().resolve("data/default").resolve(name));
      if (files.size() == 1) {
        return Files.size(files.get(0));
      }
      if (System.nanoTime() > deadline) {
        throw new ToolException(
            ResultTable.cell(
                "%s has %d store files %d s after its major compaction, and not one",
                name, files.size(), DEADLINE_SECONDS));
      }
      Thread.sleep(200);
    }
  }

  /** REGION/f/FILE below the table's directory. */
  private static List<Path> storeFiles(Path tableDirectory) throws IOException {
    List<Path> files = new ArrayList<>();
    try (Stream<Path> regions = Files.list(tableDirectory)) {
      for (Path region : regions.toList()) {
        Path family = region.resolve("f");
        if (Files.isDirectory(family)) {
          try (Stream<Path> found = Files.list(family)) {
            found.filter(Files::isRegularFile).forEach(files::add);
          }
        }
      }
    }
    return files;
  }
}
