package org.grampus.perf.command;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.io.compress.Compression;
import org.grampus.compat.suite.target.ServerKind;
import org.grampus.perf.ToolException;
import org.grampus.perf.process.ClientProgram;
import org.grampus.perf.process.MeasuredServer;
import org.grampus.perf.process.ServerPlan;
import org.grampus.perf.result.Run;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Jobs over whole tables, in each way there is, on Grampus and on a stock HBase in one run. */
@Command(
    name = "jobs",
    description = {
      "Rows per second of MapReduce jobs over whole tables, by Hadoop's local runner: HBase's input"
          + " formats on a stock HBase 2.6.1 and on Grampus, Grampus's own, batches of columns, and"
          + " downloads to Parquet; and of Spark. Rows are those of the table, whatever a filter"
          + " leaves of them.",
      "Tables: rows of 1 KB, and the demo's flights of 19 columns: all, one column, a filter that"
          + " keeps 1.2 %% of the rows.",
      "Each job also runs over a table of the same regions with a row or two in each, which is its"
          + " fixed part: a job of N rows takes these seconds and N by the marginal rate. The start"
          + " of a JVM, or of Spark and its session, is not in the seconds, but in the client's"
          + " CPU.",
      "Fails when two ways do not find the same rows, cells and bytes, as far as they count them."
    })
final class Jobs extends MeasuringCommand {
  private static final long POLL_MILLIS = 100;

  @Option(
      names = "--rows",
      defaultValue = "1000000",
      description = "Rows of 1 KB. Default: ${DEFAULT-VALUE}")
  private long rows;

  @Option(
      names = "--copies",
      defaultValue = "4",
      converter = AtLeastOne.class,
      description = "Copies of the 336,776 flights, at most 99. Default: ${DEFAULT-VALUE}")
  private int copies;

  @Option(
      names = "--mappers",
      split = ",",
      defaultValue = "1,2,4",
      description = "Maps that run at a time. Default: ${DEFAULT-VALUE}")
  private List<Integer> mappers;

  @Option(
      names = "--repeat",
      defaultValue = "2",
      converter = AtLeastOne.class,
      description =
          "Runs of each job; a first one of each way is not counted."
              + " Default: ${DEFAULT-VALUE}")
  private int repeat;

  @Option(
      names = "--compression",
      defaultValue = "NONE",
      description = "Of both tables: NONE, SNAPPY, ... Default: ${DEFAULT-VALUE}")
  private Compression.Algorithm compression;

  @Option(
      names = "--memory",
      paramLabel = "MB",
      defaultValue = "4096",
      description = "Memory of each server. Default: ${DEFAULT-VALUE}")
  private long memoryMb;

  @Option(
      names = "--beside-writers",
      description = "Reads the rows of 1 KB once more while four clients write them.")
  private boolean besideWriters;

  @Option(
      names = "--spark",
      paramLabel = "DIR",
      description = "Where a Spark is installed, which is among the ways then.")
  private Path spark;

  @Option(
      names = "--ways",
      split = ",",
      paramLabel = "WAY",
      description =
          "Ways, the first of which the others are compared with: HBASE_TABLE, HBASE_SNAPSHOT,"
              + " STOCK_TABLE, TABLE, SNAPSHOT, BATCHES, PARQUET, PARQUET_SNAPPY, PARQUET_NONE,"
              + " SPARK. Default: all")
  private List<JobWay> ways;

  @Option(
      names = "--works",
      split = ",",
      paramLabel = "WORK",
      description = "Works: ${COMPLETION-CANDIDATES}. Default: all")
  private List<KnownWork> works = List.of(KnownWork.values());

  private final Map<ServerKind, MeasuredServer> servers = new EnumMap<>(ServerKind.class);
  private final List<Run> runs = new ArrayList<>();
  private final JobRates rates = new JobRates();
  private JobTables tables;
  private JobMeter meter;

  @Override
  protected void measure() throws Exception {
    ways = chosenWays();
    tables = new JobTables(rows, copies, Collections.max(mappers), compression);
    meter = new JobMeter(checkout(), work(), servers, tables, spark);
    Set<ServerKind> kinds = EnumSet.noneOf(ServerKind.class);
    ways.forEach(way -> kinds.add(way.server()));
    requireRoom(kinds);
    PageCache.fill(
        work().resolve("page-cache"), kinds.size() * memoryMb + PageCache.CLIENTS_AND_SYSTEM_MB);
    try {
      for (ServerKind kind : kinds) {
        start(kind);
      }
      compare();
      for (MeasuredServer server : servers.values()) {
        server.stop();
      }
    } finally {
      servers.values().forEach(MeasuredServer::close);
    }
    System.out.println("\n" + rates);
    write(settings(), runs);
    System.out.println("checked: " + runs.size() + " runs found the rows of the others");
  }

  private void requireRoom(Set<ServerKind> kinds) throws ToolException, IOException {
    long needed = kinds.stream().mapToLong(kind -> tables.diskBytes(kind, tableNames())).sum();
    long free = Files.getFileStore(work()).getUsableSpace();
    if (needed > free) {
      throw new ToolException(
          String.format(
              "the tables take up to %d GB while they are loaded, and %s has %d GB;"
                  + " choose smaller --rows and --copies",
              needed >> 30, work(), free >> 30));
    }
  }

  private List<JobWay> chosenWays() throws ToolException {
    if (ways == null) {
      return Stream.of(JobWay.values())
          .filter(way -> way != JobWay.SPARK || spark != null)
          .toList();
    }
    if (ways.contains(JobWay.SPARK) && spark == null) {
      throw new ToolException("the way SPARK needs --spark");
    }
    return ways.stream().distinct().toList();
  }

  /** A server with the tables of the works. */
  private void start(ServerKind kind) throws Exception {
    ServerPlan plan = ServerPlan.of(kind);
    plan = kind == ServerKind.HBASE ? plan.heapMb(memoryMb) : plan.memoryMb(memoryMb);
    MeasuredServer server = MeasuredServer.start(checkout(), work().resolve(plan.name()), plan);
    servers.put(kind, server);
    note("loading " + server);
    tables.load(server, tableNames(), checkout(), new Meter(work().resolve("client.log"), true));
  }

  private Set<String> tableNames() {
    Set<String> names = new LinkedHashSet<>();
    works.forEach(known -> names.add(known.work().table()));
    if (besideWriters) {
      names.add(JobTables.ROWS);
    }
    return names;
  }

  private void compare() throws Exception {
    for (KnownWork known : works) {
      for (int maps : mappers) {
        compare(known.work(), maps);
      }
    }
    if (besideWriters) {
      compareBesideWriters();
    }
    MeasuredServer grampus = servers.get(ServerKind.GRAMPUS);
    if (grampus != null) {
      note(grampus.checkMemory(memoryMb));
    }
  }

  private void compare(JobWork work, int maps) throws Exception {
    note(work.name() + ", " + maps + " maps");
    for (JobWay way : ways) {
      meter.warm(work, way, maps);
    }
    Map<JobWay, WayRuns> counted = beginning(work, maps);
    for (int number = 1; number <= repeat; number++) {
      for (JobWay way : ways) {
        count(meter.measure(work, way, maps, number, fixed(counted, way)), way, counted);
      }
    }
    say(work.name(), maps, counted);
  }

  /** No runs yet, but the fixed seconds, in the order of the ways. */
  private Map<JobWay, WayRuns> beginning(JobWork work, int maps) throws Exception {
    Map<JobWay, WayRuns> counted = new LinkedHashMap<>();
    for (JobWay way : ways) {
      counted.put(way, new WayRuns(meter.fixedSeconds(work, way, maps), new ArrayList<>()));
    }
    return counted;
  }

  private static double fixed(Map<JobWay, WayRuns> counted, JobWay way) {
    return counted.get(way).fixedSeconds();
  }

  private void count(Run run, JobWay way, Map<JobWay, WayRuns> counted) {
    counted.get(way).runs().add(run);
    runs.add(run);
  }

  /** The fixed seconds are those without writers. */
  private void compareBesideWriters() throws Exception {
    JobWork rowsOnly = KnownWork.ROWS.work();
    JobWork work = rowsOnly.named(rowsOnly.name() + " beside four writers");
    int maps = Collections.max(mappers);
    note(work.name());
    Map<JobWay, WayRuns> counted = beginning(work, maps);
    for (JobWay way : ways) {
      try (ClientProgram.Background writers = startWriters(servers.get(way.server()))) {
        for (int number = 1; number <= repeat; number++) {
          Run run = meter.measure(work, way, maps, number, fixed(counted, way));
          count(run.besideOtherWork(), way, counted);
        }
        writers.require();
      }
    }
    say(work.name(), maps, counted);
  }

  private ClientProgram.Background startWriters(MeasuredServer server)
      throws ToolException, IOException, InterruptedException {
    Path output = work().resolve("writers.log");
    ClientProgram.Background writers =
        server.client(tables.writers("randomWrite", "--cycles=1000")).inBackground(output);
    while (!Files.readString(output).contains("Start class")) {
      writers.require();
      Thread.sleep(POLL_MILLIS);
    }
    return writers;
  }

  private void say(String work, int maps, Map<JobWay, WayRuns> counted) {
    rates.add(work, maps, counted);
    System.out.println("\n" + rates);
  }

  private Map<String, Object> settings() {
    Map<String, Object> settings = new LinkedHashMap<>();
    settings.put("rows", rows);
    settings.put("copies", copies);
    settings.put("regions", tables.regions());
    settings.put("compression", compression.toString());
    settings.put("memoryMb", memoryMb);
    return settings;
  }
}
