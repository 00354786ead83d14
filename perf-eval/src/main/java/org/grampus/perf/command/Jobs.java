package org.grampus.perf.command;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.io.compress.Compression;
import org.grampus.compat.suite.target.ServerKind;
import org.grampus.perf.ToolException;
import org.grampus.perf.process.ClientProgram;
import org.grampus.perf.process.ClientRun;
import org.grampus.perf.process.Leftovers;
import org.grampus.perf.process.MeasuredServer;
import org.grampus.perf.process.ServerPlan;
import org.grampus.perf.result.ResultTable;
import org.grampus.perf.result.Run;
import org.grampus.perf.scan.JobOutput;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Jobs over whole tables, in each way there is, on Grampus and on a stock HBase in one run. */
@Command(
    name = "jobs",
    description = {
      "Rows per second of MapReduce jobs over whole tables, by Hadoop's local runner: HBase's input"
          + " formats on a stock HBase 2.6.1 and on Grampus, Grampus's own, and downloads to"
          + " Parquet; and of Spark.",
      "Tables: rows of 1 KB, and the demo's flights of 19 columns: all, one column, a filter that"
          + " keeps 1.2 % of the rows.",
      "Fails when two ways do not find the same number of rows."
    })
final class Jobs extends MeasuringCommand {
  private static final double NANOS = 1e9;
  private static final double MICROS = 1e6;
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

  private final Map<ServerKind, MeasuredServer> servers = new EnumMap<>(ServerKind.class);
  private final Map<String, Long> found = new HashMap<>();
  private final List<Run> runs = new ArrayList<>();
  private final ResultTable table =
      new ResultTable(
          "work",
          "maps",
          "way",
          "rows/s",
          "of the first",
          "client CPU µs/row",
          "server CPU µs/row");
  private Path log;
  private JobTables tables;
  private int directories;

  @Override
  protected void measure() throws Exception {
    log = work().resolve("client.log");
    tables = new JobTables(rows, copies, Collections.max(mappers), compression);
    try (MeasuredServer hbase = start(ServerPlan.of(ServerKind.HBASE).heapMb(memoryMb));
        MeasuredServer grampus = start(ServerPlan.of(ServerKind.GRAMPUS).memoryMb(memoryMb))) {
      for (JobWork work : works()) {
        for (int maps : mappers) {
          compare(work, maps);
        }
      }
      if (besideWriters) {
        compareBesideWriters();
      }
      note(grampus.checkMemory(memoryMb));
      hbase.stop();
      grampus.stop();
    }
    System.out.println("\n" + table);
    write(settings(), runs);
    System.out.println("checked: " + runs.size() + " runs found the rows of the others");
  }

  private static List<JobWork> works() {
    return List.of(
        new JobWork("rows of 1 KB", JobTables.ROWS, List.of(), "", ""),
        new JobWork("flights", JobTables.FLIGHTS, List.of(), "", ""),
        new JobWork("one column of flights", JobTables.FLIGHTS, List.of("f:dest"), "", ""),
        new JobWork(
            "flights to one place",
            JobTables.FLIGHTS,
            List.of(),
            "SingleColumnValueFilter('f','dest',=,'binary:SEA')",
            "f_dest = CAST('SEA' AS BINARY)"));
  }

  /** A server with both tables. */
  private MeasuredServer start(ServerPlan plan) throws Exception {
    MeasuredServer server = MeasuredServer.start(checkout(), work().resolve(plan.name()), plan);
    try {
      note("loading " + server);
      tables.load(server, checkout(), new Meter(log, true));
    } catch (ToolException | IOException | InterruptedException e) {
      server.close();
      throw e;
    }
    servers.put(plan.kind(), server);
    return server;
  }

  private void compare(JobWork work, int maps) throws Exception {
    note(work.name() + ", " + maps + " maps");
    Map<JobWay, List<Run>> counted = new EnumMap<>(JobWay.class);
    for (int number = 0; number <= repeat; number++) { // the first fills the page cache
      for (JobWay way : ways()) {
        Run run = run(work, way, maps, number);
        if (number > 0) {
          counted.computeIfAbsent(way, none -> new ArrayList<>()).add(run);
        }
      }
    }
    say(work.name(), maps, counted);
  }

  /** Live tables only: the files of a snapshot do not change. */
  private void compareBesideWriters() throws Exception {
    JobWork work =
        new JobWork("rows of 1 KB beside four writers", JobTables.ROWS, List.of(), "", "");
    int maps = Collections.max(mappers);
    note(work.name());
    Map<JobWay, List<Run>> counted = new EnumMap<>(JobWay.class);
    for (JobWay way : ways()) {
      try (ClientProgram.Background writers = startWriters(servers.get(way.server()))) {
        for (int number = 1; number <= repeat; number++) {
          Run run = run(work, way, maps, number).besideOtherWork();
          counted.computeIfAbsent(way, none -> new ArrayList<>()).add(run);
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

  private List<JobWay> ways() {
    return Stream.of(JobWay.values()).filter(way -> way != JobWay.SPARK || spark != null).toList();
  }

  private Run run(JobWork work, JobWay way, int maps, int number)
      throws ToolException, IOException, InterruptedException {
    MeasuredServer server = servers.get(way.server());
    Path directory = work().resolve("job-" + directories++);
    ClientProgram program =
        way == JobWay.SPARK
            ? new SparkQuery(spark, checkout(), server)
                .program(work, maps, tables.regions(), directory)
            : server.client(way.arguments(work, maps, tables.regions(), directory));
    long before = server.sample().cpuMicros();
    ClientRun client = program.run(log);
    double serverMicros = server.sample().cpuMicros() - before;
    Leftovers.delete(directory);
    JobOutput said = JobOutput.parse(client.output());
    requireRows(work, way, said.rows());
    Run run =
        new Run(
            server.toString(),
            work.name() + ", " + way,
            number,
            said.rows(),
            client.wallNanos() / NANOS,
            said.rowsPerSecond(),
            serverMicros / MICROS,
            serverMicros / said.rows(),
            client.cpuMicros() / MICROS,
            null,
            null,
            null,
            null,
            Map.of("maps", maps, "jobSeconds", said.millis() / 1000.0));
    if (number > 0) {
      runs.add(run);
    }
    return run;
  }

  private void requireRows(JobWork work, JobWay way, long number) throws ToolException {
    Long first = found.putIfAbsent(work.table() + work.options(), number);
    if (number == 0 || (first != null && first != number)) {
      throw new ToolException(
          work.name() + ", " + way + ": " + number + " rows, where others found " + first);
    }
  }

  private void say(String work, int maps, Map<JobWay, List<Run>> counted) {
    double first = rowsPerSecond(counted.get(JobWay.HBASE_TABLE));
    counted.forEach(
        (way, of) -> {
          double rate = rowsPerSecond(of);
          table.row(
              work,
              String.valueOf(maps),
              way.toString(),
              ResultTable.cell("%.0f", rate),
              ResultTable.cell("%.1f", rate / first),
              ResultTable.cell("%.2f", microsPerRow(of, Run::clientCpuSeconds)),
              ResultTable.cell("%.2f", microsPerRow(of, Run::serverCpuSeconds)));
        });
    System.out.println("\n" + table);
  }

  private static double rowsPerSecond(List<Run> of) {
    double seconds = of.stream().mapToDouble(run -> run.operations() / run.rowsPerSecond()).sum();
    return of.stream().mapToLong(Run::operations).sum() / seconds;
  }

  /** 0 where it was not counted, since others had the processors too. */
  private static double microsPerRow(List<Run> of, Function<Run, Double> cpu) {
    double seconds =
        of.stream().map(cpu).mapToDouble(measured -> measured == null ? 0 : measured).sum();
    return seconds * MICROS / of.stream().mapToLong(Run::operations).sum();
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
