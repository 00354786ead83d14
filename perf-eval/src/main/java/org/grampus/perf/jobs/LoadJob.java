package org.grampus.perf.jobs;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.grampus.perf.ToolException;

/** HBase's PerformanceEvaluation as a job, which is what it is without {@code --nomapred}. */
final class LoadJob {
  private static final int PE_CLIENTS = 2;
  private static final int PE_ROWS = 500;

  /** PerformanceEvaluation writes ten lines for each client; each map takes a number of them. */
  private static final int PE_LINES_OF_A_MAP = 10;

  private final JobBench bench;

  LoadJob(JobBench bench) {
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
    JobBench.expect("splits of PerformanceEvaluation", List.of(2L), JobBench.splits(said));
    long rows = (long) PE_CLIENTS * PE_ROWS;
    JobBench.expect("rows of PerformanceEvaluation", rows, JobBench.counter(said, "Row count"));
    JobBench.expect(
        "cells that PerformanceEvaluation has written",
        rows,
        (long) JobTable.cells(bench.connection(), TableName.valueOf("TestTable")).size());
  }
}
