package org.grampus.perf.command;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.grampus.compat.suite.target.ServerKind;
import org.grampus.perf.ToolException;
import org.grampus.perf.process.Checkout;
import org.grampus.perf.process.ClientProgram;
import org.grampus.perf.process.ClientRun;
import org.grampus.perf.process.Leftovers;
import org.grampus.perf.process.MeasuredServer;
import org.grampus.perf.result.Run;
import org.grampus.perf.scan.JobOutput;

/** Runs jobs, and sees to it that all ways find the same number of rows. For one thread. */
final class JobMeter {
  private static final double NANOS = 1e9;
  private static final double MICROS = 1e6;
  private static final int FIXED_RUNS = 3;

  /** A job that has ended. */
  private record Ended(JobOutput said, ClientRun client, long serverMicros) {}

  private final Checkout checkout;
  private final Path work;
  private final Map<ServerKind, MeasuredServer> servers;
  private final JobTables tables;

  /** Null when Spark is not among the ways. */
  private final Path spark;

  /** By work: what the first way said. Some count rows alone. */
  private final Map<String, JobOutput> found = new HashMap<>();

  private final Map<String, JobOutput> foundCells = new HashMap<>();
  private int directories;

  /**
   * A meter.
   *
   * @param work where logs and directories of jobs go
   * @param servers those of all ways, with their tables
   * @param spark where a Spark is installed, or null
   */
  JobMeter(
      Checkout checkout,
      Path work,
      Map<ServerKind, MeasuredServer> servers,
      JobTables tables,
      Path spark) {
    this.checkout = checkout;
    this.work = work;
    this.servers = servers;
    this.tables = tables;
    this.spark = spark;
  }

  /** A run that is not counted, and fills the page cache. */
  void warm(JobWork job, JobWay way, int maps)
      throws ToolException, IOException, InterruptedException {
    requireAll(job, way, run(job, way, maps));
  }

  /** What a job takes over a few rows in as many regions: the median of some runs. */
  double fixedSeconds(JobWork job, JobWay way, int maps)
      throws ToolException, IOException, InterruptedException {
    double[] seconds = new double[FIXED_RUNS];
    for (int i = 0; i < FIXED_RUNS; i++) {
      seconds[i] = run(job.small(), way, maps).said().seconds();
    }
    Arrays.sort(seconds);
    return seconds[FIXED_RUNS / 2];
  }

  /**
   * A counted run. Its operations are the rows of the table.
   *
   * @param number among the counted runs
   */
  Run measure(JobWork job, JobWay way, int maps, int number, double fixedSeconds)
      throws ToolException, IOException, InterruptedException {
    Ended ended = run(job, way, maps);
    requireAll(job, way, ended);
    long rows = tables.rowsOf(job.table());
    double seconds = ended.said().seconds();
    Map<String, Object> figures = new LinkedHashMap<>();
    figures.put("maps", maps);
    figures.put("jobSeconds", seconds);
    figures.put("rowsReturned", ended.said().rows());
    figures.put("fixedSeconds", fixedSeconds);
    figures.put("marginalRowsPerSecond", WayRuns.marginalRate(rows, seconds, fixedSeconds));
    return new Run(
        servers.get(way.server()).toString(),
        job.name() + ", " + way,
        number,
        rows,
        ended.client().wallNanos() / NANOS,
        rows / seconds,
        ended.serverMicros() / MICROS,
        (double) ended.serverMicros() / rows,
        ended.client().cpuMicros() / MICROS,
        null,
        null,
        null,
        null,
        figures);
  }

  private Ended run(JobWork job, JobWay way, int maps)
      throws ToolException, IOException, InterruptedException {
    MeasuredServer server = servers.get(way.server());
    Path directory = work.resolve("job-" + directories++);
    ClientProgram program =
        way == JobWay.SPARK
            ? new SparkQuery(spark, checkout, server)
                .program(job, maps, tables.regions(), directory)
            : server.client(way.arguments(job, maps, tables.regions(), directory));
    long before = server.sample().cpuMicros();
    ClientRun client = program.run(work.resolve("client.log"));
    long serverMicros = server.sample().cpuMicros() - before;
    Leftovers.delete(directory);
    JobOutput said = JobOutput.parse(client.output());
    requireSame(job, way, said);
    return new Ended(said, client, serverMicros);
  }

  /** Whether others have found the same. */
  private void requireSame(JobWork job, JobWay way, JobOutput said) throws ToolException {
    String read = job.table() + job.options();
    JobOutput first = found.computeIfAbsent(read, none -> said);
    if (first.rows() != said.rows()) {
      throw wrong(job, way, said, "others found " + first.rows());
    }
    if (said.cells() == 0) {
      return;
    }
    JobOutput cells = foundCells.computeIfAbsent(read, none -> said);
    if (cells.cells() != said.cells() || cells.valueBytes() != said.valueBytes()) {
      throw new ToolException(
          job.name() + ", " + way + ": " + said + ", where others have " + cells);
    }
  }

  /** Of a whole table. */
  private void requireAll(JobWork job, JobWay way, Ended ended) throws ToolException {
    long rows = tables.rowsOf(job.table());
    if (ended.said().rows() == 0 || (job.wantsAllRows() && ended.said().rows() != rows)) {
      throw wrong(job, way, ended.said(), "the table has " + rows);
    }
  }

  private static ToolException wrong(JobWork job, JobWay way, JobOutput said, String otherwise) {
    return new ToolException(
        job.name() + ", " + way + ": " + said.rows() + " rows, where " + otherwise);
  }
}
