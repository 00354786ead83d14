package org.grampus.perf.command;

import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.grampus.compat.suite.target.ServerKind;
import org.grampus.perf.process.Checkout;
import org.grampus.perf.process.Leftovers;
import org.grampus.perf.process.MeasuredServer;
import org.grampus.perf.process.ServerPlan;
import org.grampus.perf.result.Run;
import org.grampus.perf.stock.Workload;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Grampus and a stock HBase 2.6.1 on the same work in one run. Both servers run at once and take
 * turns, so that a machine whose speed drifts treats both alike; each has the same memory in all,
 * and is warmed up by runs that are not counted.
 *
 * <p>A process keeps what its compiler and allocator have decided: two processes of the same server
 * differ by up to 20 %. Rounds of fresh processes tell such luck from a difference of the servers.
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
  @Mixin private WorkloadOptions options;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "1",
      converter = AtLeastOne.class,
      description =
          "Rounds, each with two fresh servers. Processes of the same server differ by up to"
              + " 20 %%: a smaller difference needs rounds. Default: ${DEFAULT-VALUE}")
  private int rounds;

  @Option(
      names = "--repeat",
      paramLabel = "N",
      converter = AtLeastOne.class,
      description =
          "Counted runs of each workload in each round. Default: 16 of scan, 3 of the others")
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

  private final List<List<Run>> counted = new ArrayList<>();
  private Meter meter;

  @Override
  protected void measure() throws Exception {
    List<Workload> workloads = options.workloads();
    meter = new Meter(work().resolve("client.log"), true);
    PageCache.fill(work().resolve("page-cache"), 2 * memoryMb + PageCache.CLIENTS_AND_SYSTEM_MB);
    try (PrintWriter tsv =
        new PrintWriter(Files.newBufferedWriter(checkout().build().resolve("compare.tsv")))) {
      for (int number = 1; number <= rounds; number++) {
        round(number, workloads, tsv);
      }
    }
    System.out.println("checked: " + comparison().sentence());
  }

  /** In every second round the other server is the first to start and to take its turn. */
  private void round(int number, List<Workload> workloads, PrintWriter tsv) throws Exception {
    ServerPlan grampus = ServerPlan.of(ServerKind.GRAMPUS).memoryMb(memoryMb);
    boolean inOrder = number % 2 == 1;
    Path directory = Files.createDirectory(work().resolve("round-" + number));
    try (MeasuredServer first = start(inOrder ? grampus : otherPlan(), directory);
        MeasuredServer second = start(inOrder ? otherPlan() : grampus, directory)) {
      note("round " + number + " of " + rounds);
      CompareRound round = new CompareRound(number, List.of(first, second), meter, tsv);
      counted.add(round.measure(workloads, options.rows(), repeat));
      // Before anything else can fail: what was measured is not to be lost.
      System.out.println("\n" + comparison().table());
      write(settings(), counted.stream().flatMap(List::stream).toList());
      note((inOrder ? first : second).checkMemory(memoryMb));
      first.stop();
      second.stop();
    }
    Leftovers.delete(directory);
  }

  private MeasuredServer start(ServerPlan plan, Path directory) throws Exception {
    return MeasuredServer.start(checkout(), directory.resolve(plan.name()), plan);
  }

  private ServerPlan otherPlan() {
    if (earlier == null) {
      return ServerPlan.of(ServerKind.HBASE).heapMb(memoryMb);
    }
    Checkout checkout = new Checkout(earlier.toAbsolutePath().normalize());
    return ServerPlan.of(ServerKind.GRAMPUS).memoryMb(memoryMb).from(checkout);
  }

  private Comparison comparison() {
    return new Comparison(earlier == null ? "HBase" : "earlier", counted);
  }

  private Map<String, Object> settings() {
    Map<String, Object> settings = new LinkedHashMap<>();
    settings.put("rowsPerClient", options.rows());
    settings.put("memoryMb", memoryMb);
    settings.put("rounds", rounds);
    if (earlier != null) {
      settings.put("against", earlier.toString());
    }
    return settings;
  }
}
