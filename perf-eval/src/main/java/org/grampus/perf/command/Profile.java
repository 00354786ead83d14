package org.grampus.perf.command;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.grampus.compat.suite.target.ServerKind;
import org.grampus.perf.ToolException;
import org.grampus.perf.process.HostCommand;
import org.grampus.perf.process.Leftovers;
import org.grampus.perf.process.MeasuredServer;
import org.grampus.perf.process.ServerPlan;
import org.grampus.perf.result.Run;
import org.grampus.perf.stock.Workload;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Where a server's processor time goes, from Linux perf. Warmed up as {@link Compare} does. */
@Command(
    name = "profile",
    description = {
      "Where a Grampus server's CPU goes in the workloads of compare: shares by thread and by"
          + " library, and the hottest symbols.",
      "Needs the perf command (Debian's linux-perf) and the right to use it."
    })
final class Profile extends MeasuringCommand {
  private static final long MEMORY_MB = 4096;
  private static final String SAMPLES_PER_SECOND = "499";
  private static final long STOP_SECONDS = 60;

  @Mixin private WorkloadOptions options;

  private final List<Run> runs = new ArrayList<>();
  private Meter meter;
  private Path samples;

  @Override
  protected void measure() throws Exception {
    List<Workload> workloads = options.workloads();
    new HostCommand("perf", "version").run();
    meter = new Meter(work().resolve("client.log"), false);
    samples = work().resolve("perf.data");
    ServerPlan plan = ServerPlan.of(ServerKind.GRAMPUS).memoryMb(MEMORY_MB);
    try (MeasuredServer server = MeasuredServer.start(checkout(), work().resolve("server"), plan)) {
      meter.work(server, Workload.SEQUENTIAL_WRITE.arguments(options.rows()));
      for (Workload workload : workloads) {
        profile(server, workload);
      }
      server.stop();
    }
    write(Map.of("rowsPerClient", options.rows(), "memoryMb", MEMORY_MB), runs);
  }

  private void profile(MeasuredServer server, Workload workload)
      throws ToolException, IOException, InterruptedException {
    if (workload == Workload.SCAN) {
      meter.compact(server, "TestTable");
    }
    run(server, workload, workload.warmups());
    Process perf = record(server.pid());
    run(server, workload, workload.profiledRuns());
    end(perf);
    nameCompiledJava(server.pid());
    List<String> threads = PerfReport.shares(report("comm"));
    List<String> libraries = PerfReport.shares(report("dso"));
    List<String> symbols = PerfReport.symbols(report("symbol"));
    System.out.println("\n== " + workload + ", by thread");
    threads.forEach(System.out::println);
    System.out.println("-- by library");
    libraries.forEach(System.out::println);
    System.out.println("-- hottest symbols");
    symbols.forEach(System.out::println);
    runs.add(
        Run.ofFigures(
            server.toString(),
            workload.toString(),
            Map.of("byThread", threads, "byLibrary", libraries, "hottestSymbols", symbols)));
  }

  private void run(MeasuredServer server, Workload workload, int times)
      throws ToolException, IOException, InterruptedException {
    for (int i = 0; i < times; i++) {
      meter.work(server, workload.arguments(options.rows()));
    }
  }

  private Process record(long pid) throws IOException {
    return new ProcessBuilder(
            "perf",
            "record",
            "-q",
            "-F",
            SAMPLES_PER_SECOND,
            "-o",
            samples.toString(),
            "-p",
            String.valueOf(pid))
        .inheritIO()
        .start();
  }

  /** SIGINT, at which perf writes what it has. */
  private static void end(Process perf) throws ToolException, InterruptedException {
    new HostCommand("kill", "-INT", String.valueOf(perf.pid())).run();
    if (!perf.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
      throw new ToolException("perf record does not end");
    }
  }

  /** Lets the JVM write where its compiled methods are, for perf to find in /tmp. */
  private static void nameCompiledJava(long pid) throws InterruptedException {
    Leftovers.announce(Path.of("/tmp/perf-" + pid + ".map"));
    String jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
    try {
      new HostCommand(jcmd, String.valueOf(pid), "Compiler.perfmap").run();
    } catch (ToolException e) {
      note("no symbols of compiled Java: " + e.getMessage());
    }
  }

  private String report(String key) throws ToolException, InterruptedException {
    return new HostCommand(
            "perf",
            "report",
            "-i",
            samples.toString(),
            "--no-children",
            "-g",
            "none",
            "--sort",
            key,
            "--stdio")
        .run();
  }
}
