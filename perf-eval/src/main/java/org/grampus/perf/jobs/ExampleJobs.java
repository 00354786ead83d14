package org.grampus.perf.jobs;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.TableName;
import org.grampus.perf.ToolException;
import org.grampus.perf.process.ClientProgram;
import org.grampus.perf.process.Expect;
import org.grampus.perf.process.Leftovers;

/**
 * The commands of docs/mapreduce.md, as they stand there: HBase's row count, export and import, and
 * a job of a user's own over a table and over a snapshot. What they leave must be the table.
 */
final class ExampleJobs {
  private static final TableName COPY = TableName.valueOf("flights-copy");
  private static final long SPLITS = 3;

  private final JobBench bench;
  private final JobTable table;

  ExampleJobs(JobBench bench, JobTable table) {
    this.bench = bench;
    this.table = table;
  }

  void run() throws ToolException, IOException, InterruptedException {
    JobTable.create(bench.connection(), COPY);
    String said = bench.run("the commands of docs/mapreduce.md", commands());
    ClientOutput output = new ClientOutput(said);
    Expect.equal("rows of RowCounter", (long) table.rows(), output.counter("ROWS"));
    Expect.equal("splits of the jobs", splitsOfJobs(), output.splits());
    Expect.equal(
        "cells of the table that was exported and imported",
        JobTable.cells(bench.connection(), JobTable.NAME),
        JobTable.cells(bench.connection(), COPY));
    for (String directory : List.of("/flights-by-carrier", "/flights-by-carrier-frozen")) {
      Expect.equal(
          "flights by carrier in " + directory,
          table.flightsByCarrier(),
          bench.lines(new Path(directory, "part-r-00000")));
    }
    Expect.within("hadoop fs -cat", String.join("\n", table.flightsByCarrier()), said);
    Download download = new Download(bench.hdfs(), new Path("/flights-csv"));
    Expect.equal("rows of the download", table.lines(), download.csv());
    Expect.equal("parts of the download", SPLITS, (long) download.parts().size());
  }

  private ClientProgram commands() throws ToolException, IOException {
    String script =
        DocumentedCommands.of(
                bench.checkout().home().resolve("docs/mapreduce.md"), "On a Hadoop cluster")
            .script();
    Leftovers.announce(bench.checkout().build().resolve("example"));
    Leftovers.announce(bench.checkout().build().resolve("example.jar"));
    return bench.atHome("bash", "-c", script);
  }

  /**
   * Those that are asked for, which are more than regions: of HBase's jobs for each region, or a
   * file of an export each.
   */
  private static List<Long> splitsOfJobs() {
    long ofHBase = SPLITS * JobTable.REGIONS;
    return List.of(ofHBase, ofHBase, ofHBase, SPLITS, SPLITS);
  }
}
