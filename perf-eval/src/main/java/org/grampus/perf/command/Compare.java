package org.grampus.perf.command;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.grampus.compat.suite.target.ServerKind;
import org.grampus.perf.ToolException;
import org.grampus.perf.pe.Workload;
import org.grampus.perf.process.Checkout;
import org.grampus.perf.process.MeasuredServer;
import org.grampus.perf.process.ServerPlan;
import org.grampus.perf.result.ResultTable;
import org.grampus.perf.result.Run;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Grampus and a stock HBase 2.6.1 on the same work in one run. Both servers run at once and take
 * turns, so that a machine whose speed drifts treats both alike; each has the same memory in all,
 * and is warmed up by runs that are not counted.
 */
@Command(
    name = "compare",
    description = {
      "Server CPU per operation beside a stock HBase 2.6.1 on the same machine: the kernel's"
          + " account of the server's process, with JIT, GC, flushes, compactions and the embedded"
          + " master. With --against the other server is an earlier state of Grampus.",
      "Environment: COMPARE_MEMORY_MB, memory of each server, 4096 by default."
    })
final class Compare extends MeasuringCommand {
  private static final long CLIENTS_AND_SYSTEM_MB = 3072;

  @Mixin private WorkloadOptions options;

  @Option(
      names = "--repeat",
      paramLabel = "N",
      description = "Counted runs of each workload. Default: 16 of scan, 3 of the others")
  private Integer repeat;

  @Option(
      names = "--memory",
      paramLabel = "MB",
      defaultValue = "${env:COMPARE_MEMORY_MB:-4096}",
      description = "Memory of each server. Default: ${DEFAULT-VALUE}")
  private long memoryMb;

  @Option(
      names = "--against",
      paramLabel = "DIR",
      description = "Another checkout of Grampus, built, instead of the stock HBase.")
  private Path earlier;

  private final List<Run> runs = new ArrayList<>();
  private Meter meter;
  private PrintWriter lines;

  @Override
  protected void measure() throws Exception {
    List<Workload> workloads = options.workloads();
    meter = new Meter(work().resolve("client.log"), true);
    PageCache.fill(work().resolve("page-cache"), 2 * memoryMb + CLIENTS_AND_SYSTEM_MB);
    try (PrintWriter tsv =
            new PrintWriter(Files.newBufferedWriter(checkout().build().resolve("compare.tsv")));
        MeasuredServer grampus = start(ServerPlan.of(ServerKind.GRAMPUS).memoryMb(memoryMb));
        MeasuredServer other = start(otherPlan())) {
      lines = tsv;
      List<MeasuredServer> servers = List.of(grampus, other);
      load(servers);
      for (Workload workload : workloads) {
        note(workload.toString());
        warm(servers, workload);
        count(servers, workload);
      }
      // Before anything else can fail: what was measured is not to be lost.
      System.out.println("\n" + comparison().table());
      write(settings(), runs);
      note(grampus.checkMemory(memoryMb));
      grampus.stop();
      other.stop();
    }
    System.out.println("checked: " + comparison().sentence());
  }

  private ServerPlan otherPlan() {
    if (earlier == null) {
      return ServerPlan.of(ServerKind.HBASE).heapMb(memoryMb);
    }
    Checkout checkout = new Checkout(earlier.toAbsolutePath().normalize());
    return ServerPlan.of(ServerKind.GRAMPUS).memoryMb(memoryMb).from(checkout);
  }

  private Comparison comparison() {
    return new Comparison(earlier == null ? "HBase" : "earlier", runs);
  }

  private MeasuredServer start(ServerPlan plan)
      throws ToolException, IOException, InterruptedException {
    return MeasuredServer.start(checkout(), work().resolve(plan.name()), plan);
  }

  private void load(List<MeasuredServer> servers)
      throws ToolException, IOException, InterruptedException {
    for (MeasuredServer server : servers) {
      note(server + ": loading " + Workload.SEQUENTIAL_WRITE.operations(options.rows()) + " rows");
      meter.work(server, Workload.SEQUENTIAL_WRITE.arguments(options.rows()));
    }
  }

  private void warm(List<MeasuredServer> servers, Workload workload)
      throws ToolException, IOException, InterruptedException {
    for (MeasuredServer server : servers) {
      if (workload == Workload.SCAN) {
        meter.compact(server, "TestTable");
      }
      for (int i = 0; i < workload.warmups(); i++) {
        meter.work(server, workload.arguments(options.rows()));
      }
    }
  }

  private void count(List<MeasuredServer> servers, Workload workload)
      throws ToolException, IOException, InterruptedException {
    int times = repeat == null ? workload.countedRuns() : repeat;
    for (int number = 1; number <= times; number++) {
      for (MeasuredServer server : servers) {
        Run run =
            meter.measure(server, workload.toString(), workload.arguments(options.rows()), number);
        runs.add(run);
        say(run);
      }
    }
  }

  private void say(Run run) {
    String line =
        ResultTable.cell(
            "%s\t%s\t%.3f\t%.0f\t%.2f",
            run.server(),
            run.workload(),
            run.serverMicrosPerOperation(),
            run.rowsPerSecond(),
            run.serverCpuSeconds());
    System.out.println(line);
    lines.println(line);
    lines.flush();
  }

  private Map<String, Object> settings() {
    Map<String, Object> settings = new LinkedHashMap<>();
    settings.put("rowsPerClient", options.rows());
    settings.put("memoryMb", memoryMb);
    if (earlier != null) {
      settings.put("against", earlier.toString());
    }
    return settings;
  }
}
