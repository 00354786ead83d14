package org.grampus.perf.jobs;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.grampus.perf.ToolException;
import org.grampus.perf.process.Expect;

/** PerformanceEvaluation as a job, which is what it is without {@code --nomapred}. */
final class PeJob {
  private static final TableName TABLE = TableName.valueOf("TestTable");
  private static final int PE_CLIENTS = 2;
  private static final int PE_ROWS = 500;

  /** Whatever the configuration says, each map takes the one line of a client. */
  private static final int PE_LINES_OF_A_MAP = 10;

  private final JobBench bench;

  PeJob(JobBench bench) {
    this.bench = bench;
  }

  void run() throws ToolException, IOException, InterruptedException {
    String said =
        bench.run(
            "PerformanceEvaluation as a job",
            bench.grampus(
                "pe",
                "-Dmapreduce.input.lineinputformat.linespermap=" + PE_LINES_OF_A_MAP,
                "--rows=" + PE_ROWS,
                "--valueSize=100",
                "sequentialWrite",
                String.valueOf(PE_CLIENTS)));
    ClientOutput output = new ClientOutput(said);
    Expect.equal("splits of PerformanceEvaluation", List.of(2L), output.splits());
    long rows = (long) PE_CLIENTS * PE_ROWS;
    Expect.equal("rows of PerformanceEvaluation", rows, output.counter("Row count"));
    Expect.equal(
        "cells that PerformanceEvaluation has written",
        rows,
        (long) JobTable.cells(bench.connection(), TABLE).size());
    scan("--mappersPerServer=2", rows);
    scan("--direct", rows);
  }

  /** Fails when a row or a value is not what was written. */
  private void scan(String splits, long rows)
      throws ToolException, IOException, InterruptedException {
    String said =
        bench.run(
            "PerformanceEvaluation " + splits,
            bench.grampus(
                "pe",
                "--rows=" + PE_ROWS,
                "--valueSize=100",
                "--verify",
                splits,
                "scan",
                String.valueOf(PE_CLIENTS)));
    bench.expectMoreSplitsThanRegions("PerformanceEvaluation " + splits, TABLE, said);
    Expect.equal("rows read with " + splits, rows, new ClientOutput(said).counter("Row count"));
  }
}
