package org.grampus.perf.command;

import java.util.ArrayList;
import java.util.List;
import org.grampus.perf.ToolException;
import org.grampus.perf.stock.Workload;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Which workloads are run, and on how many rows. */
final class WorkloadOptions {
  @Option(
      names = "--rows",
      defaultValue = "250000",
      description = "Rows of each of 4 loading clients. Default: ${DEFAULT-VALUE}")
  private long rows;

  @Parameters(
      paramLabel = "WORKLOAD",
      arity = "0..*",
      defaultValue = "sequentialWrite randomRead scan randomWrite",
      split = " ",
      description = "Default: ${DEFAULT-VALUE}")
  private List<String> names;

  /** Rows of each loading client. */
  long rows() {
    return rows;
  }

  List<Workload> workloads() throws ToolException {
    List<Workload> workloads = new ArrayList<>();
    for (String name : names) {
      workloads.add(Workload.of(name));
    }
    return workloads;
  }
}
