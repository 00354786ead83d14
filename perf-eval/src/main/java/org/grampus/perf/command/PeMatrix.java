package org.grampus.perf.command;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedSet;
import org.grampus.compat.suite.target.ServerKind;
import org.grampus.perf.SeededPerformanceEvaluation;
import org.grampus.perf.ToolException;
import org.grampus.perf.process.Expect;
import org.grampus.perf.process.MeasuredServer;
import org.grampus.perf.process.Memory;
import org.grampus.perf.process.ServerPlan;
import org.grampus.perf.result.ResultTable;
import org.grampus.perf.result.Run;
import org.grampus.perf.stock.PeCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Every workload of PerformanceEvaluation through the stock client, with counts afterwards. */
@Command(
    name = "pe-matrix",
    description = {
      "Every PerformanceEvaluation workload through the stock client, with counts and digests.",
      "Fails on an ERROR or WARN that a stock HBase does not print in the same scenario."
    })
final class PeMatrix extends MeasuringCommand {
  private static final String TABLE = "TestTable";

  /** With little memory writers are slowed down, as they should be. */
  private static final String SLOWED_DOWN = "WARN engine.stall: writes are slowed down";

  private static final int LINES_SHOWN = 40;

  @Option(
      names = "--long",
      description = "4 x 250,000 rows instead of 4 x 5,000, digests compared with a stock HBase's")
  private boolean isLong;

  @Option(
      names = "--memory",
      paramLabel = "MB",
      description = "Memory of Grampus in all, a quarter of it as heap")
  private Long memoryMb;

  @Option(
      names = "--target",
      defaultValue = "grampus",
      description = "grampus or hbase. Default: ${DEFAULT-VALUE}")
  private ServerKind target;

  private final List<Run> runs = new ArrayList<>();
  private Meter meter;
  private Path log;
  private Path allLogs;

  @Override
  protected void measure() throws Exception {
    log = work().resolve("client.log");
    meter = new Meter(log, false);
    allLogs = work().resolve("clients.log");
    PeSizes sizes = isLong ? PeSizes.LONG : PeSizes.SHORT;
    ServerPlan plan = ServerPlan.of(target).findingLostBuffers();
    if (memoryMb != null) {
      plan = plan.memoryMb(memoryMb).heapMb(memoryMb / 4);
    }
    List<String> lines;
    try (MeasuredServer server = MeasuredServer.start(checkout(), work().resolve("main"), plan)) {
      for (List<String> workload : sizes.workloads()) {
        run(server, workload, sizes);
      }
      checkMemory(server);
      server.stop();
      lines = logLines(server);
    }
    if (target == ServerKind.GRAMPUS) {
      requireNoWarnings(lines);
    } else {
      Warnings.of(lines).forEach(System.out::println);
    }
    TableDigest ours = seeded(ServerKind.GRAMPUS, sizes);
    if (isLong) {
      TableDigest stock = seeded(ServerKind.HBASE, sizes);
      Expect.equal("digest of the seeded run against stock HBase", stock, ours);
    }
    write(settings(sizes), runs);
    System.out.println(
        "checked: "
            + sizes.clientsTimesRows()
            + (isLong ? ", digest equal to stock HBase: " : ", seeded run ")
            + ours);
  }

  private void run(MeasuredServer server, List<String> workload, PeSizes sizes)
      throws ToolException, IOException, InterruptedException {
    List<String> arguments = new ArrayList<>(workload);
    arguments.add(String.valueOf(PeSizes.CLIENTS));
    String name = String.join(" ", workload);
    Run run = meter.measure(server, name, PeCommand.arguments(arguments), 1);
    keepOutput();
    runs.add(run);
    System.out.println(ResultTable.cell("%-52s %6.1f s", name, run.wallSeconds()));
    checkCounts(server, workload, sizes);
  }

  /** What the last client printed, for the look at warnings. */
  private void keepOutput() throws IOException {
    Files.write(
        allLogs, Files.readAllBytes(log), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  private void checkCounts(MeasuredServer server, List<String> workload, PeSizes sizes)
      throws ToolException, IOException, InterruptedException {
    if (sizes.fillsTable(workload)) {
      TableDigest digest = TableDigest.of(server, log, TABLE, "--value-lengths");
      Expect.equal("rows after " + workload, sizes.tableRows(), digest.rows());
      if (workload.contains("sequentialWrite")) {
        Expect.equal("cells after " + workload, sizes.tableRows(), digest.cells());
      }
    }
  }

  private void checkMemory(MeasuredServer server)
      throws ToolException, IOException, InterruptedException {
    if (server.kind() == ServerKind.GRAMPUS) {
      note(server.checkMemory(memoryMb == null ? Memory.totalMb() / 2 : memoryMb));
    }
  }

  /** The same rows and values on any server. */
  private TableDigest seeded(ServerKind kind, PeSizes sizes)
      throws ToolException, IOException, InterruptedException {
    Path directory = work().resolve("seeded-" + kind);
    try (MeasuredServer server =
        MeasuredServer.start(checkout(), directory, ServerPlan.of(kind).findingLostBuffers())) {
      for (List<String> arguments : sizes.seeded()) {
        meter.work(
            server, PeCommand.arguments(SeededPerformanceEvaluation.class.getName(), arguments));
      }
      TableDigest digest = TableDigest.of(server, log, TABLE);
      if (kind == ServerKind.GRAMPUS) {
        note(server.checkMemory(Memory.totalMb() / 2));
      }
      server.stop();
      return digest;
    }
  }

  private List<String> logLines(MeasuredServer server) throws IOException {
    List<Path> logs =
        new ArrayList<>(target == ServerKind.GRAMPUS ? server.logs() : List.of(server.output()));
    logs.add(allLogs);
    List<String> lines = new ArrayList<>();
    for (Path file : logs) {
      new String(Files.readAllBytes(file), StandardCharsets.UTF_8)
          .lines()
          .filter(Warnings::isWarning)
          .forEach(lines::add);
    }
    return lines;
  }

  private void requireNoWarnings(List<String> lines) throws ToolException {
    SortedSet<String> unexpected = Warnings.unexpected(lines);
    if (memoryMb != null) {
      unexpected.removeIf(kind -> kind.startsWith(SLOWED_DOWN));
    }
    Warnings.ofLateMachine(lines).forEach(kind -> note("the machine was late: " + kind));
    if (!unexpected.isEmpty()) {
      lines.stream()
          .filter(line -> !Collections.disjoint(unexpected, Warnings.of(List.of(line))))
          .limit(LINES_SHOWN)
          .forEach(System.out::println);
      throw new ToolException(
          "a stock HBase does not print such lines in this scenario: " + unexpected);
    }
  }

  private Map<String, Object> settings(PeSizes sizes) {
    Map<String, Object> settings = new LinkedHashMap<>();
    settings.put("target", target.name().toLowerCase(Locale.ROOT));
    settings.put("clients", PeSizes.CLIENTS);
    settings.put("sizes", sizes);
    settings.put("memoryMb", memoryMb);
    return settings;
  }
}
