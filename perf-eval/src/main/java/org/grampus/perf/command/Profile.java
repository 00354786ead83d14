package org.grampus.perf.command;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.grampus.perf.ToolException;
import org.grampus.perf.compare.Bench;
import org.grampus.perf.compare.Effort;
import org.grampus.perf.compare.ProfiledRows;
import org.grampus.perf.compare.Row;
import org.grampus.perf.compare.ServerPair;
import org.grampus.perf.compare.Sizes;
import org.grampus.perf.process.HostCommand;
import org.grampus.perf.process.Leftovers;
import org.grampus.perf.process.MeasuredServer;
import org.grampus.perf.process.ServerPlan;
import org.grampus.perf.result.Run;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Where a server's processor time goes, from Linux perf. Warmed up as {@link Compare} does. */
@Command(
    name = "profile",
    description = {
      "Where a Grampus server's CPU goes in rows of compare: shares by thread and by library, and"
          + " the hottest symbols.",
      "Needs the perf command (Debian's linux-perf) and the right to use it."
    })
final class Profile extends MeasuringCommand {
  private static final long MEMORY_MB = 4096;
  private static final String SAMPLES_PER_SECOND = "499";
  private static final int ATTEMPTS = 3;
  private static final long BEGIN_SECONDS = 1;
  private static final long STOP_SECONDS = 60;

  @Option(
      names = "--rows",
      paramLabel = "N",
      defaultValue = "250000",
      description = "Rows of each of 4 loading clients. Default: ${DEFAULT-VALUE}")
  private long rows;

  @Option(
      names = "--cpu",
      paramLabel = "SECONDS",
      defaultValue = "5",
      description = "About the server CPU that is profiled. Default: ${DEFAULT-VALUE}")
  private double cpuSeconds;

  @Parameters(
      paramLabel = "ROW",
      arity = "0..*",
      defaultValue = "put-batched get scan put",
      split = " ",
      description =
          "Rows of compare, but the echo and those of overload. Default: ${DEFAULT-VALUE}")
  private List<String> names;

  private final List<Run> runs = new ArrayList<>();
  private MeasuredServer server;
  private Path samples;

  @Override
  protected void measure() throws Exception {
    List<Row> selected = ProfiledRows.named(names);
    new HostCommand("perf", "version").run();
    samples = work().resolve("perf.data");
    Sizes sizes = new Sizes(rows * Sizes.CLIENTS, Sizes.COPIES, MEMORY_MB);
    Bench bench = new Bench(checkout(), work(), sizes, MeasuringCommand::note);
    ServerPlan plan = ServerPair.grampus(MEMORY_MB).jvmOption(library());
    try (MeasuredServer started =
        MeasuredServer.start(checkout(), work().resolve("server"), plan)) {
      server = started;
      new ProfiledRows(server, bench, Effort.FULL.cpuSeconds(cpuSeconds))
          .profile(selected, this::profile);
      server.stop();
    }
    write(Map.of("rowsPerClient", rows, "memoryMb", MEMORY_MB, "cpuSeconds", cpuSeconds), runs);
  }

  /** One that stays where it is: a server removes the file of the library it has unpacked. */
  private String library() {
    return "-Dgrampus.native.library="
        + checkout()
            .home()
            .resolve("native/java/target/classes/org/grampus/engine")
            .resolve("linux-" + System.getProperty("os.arch").replace("amd64", "x86_64"))
            .resolve("libgrampus.so");
  }

  private void profile(Row row, Callable<Run> work) throws Exception {
    Process perf = record(server.pid());
    Run run = work.call();
    end(perf);
    nameCompiledJava(server.pid());
    Map<String, Object> figures = new LinkedHashMap<>(run.figures());
    figures.put("byThread", PerfReport.shares(report("comm")));
    figures.put("byLibrary", PerfReport.shares(report("dso")));
    figures.put("hottestSymbols", PerfReport.symbols(report("symbol")));
    runs.add(run.figures(figures));
    System.out.printf("%n== %s, %.2f µs%n", row, run.serverMicrosPerOperation());
    print("by thread", figures.get("byThread"));
    print("by library", figures.get("byLibrary"));
    print("hottest symbols", figures.get("hottestSymbols"));
  }

  private static void print(String what, Object lines) {
    System.out.println("-- " + what);
    ((List<?>) lines).forEach(System.out::println);
  }

  /** Begins to sample. A thread that ends while perf lists the threads ends perf, too. */
  private Process record(long pid) throws ToolException, IOException, InterruptedException {
    for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
      Process perf = startPerf(pid);
      if (!perf.waitFor(BEGIN_SECONDS, TimeUnit.SECONDS)) {
        return perf;
      }
      note("perf record has ended at its begin, with exit code " + perf.exitValue());
    }
    throw new ToolException("perf record does not run; may this user sample other processes?");
  }

  private Process startPerf(long pid) throws IOException {
    return new ProcessBuilder(
            "perf",
            "record",
            "-F",
            SAMPLES_PER_SECOND,
            "-o",
            samples.toString(),
            "-p",
            String.valueOf(pid))
        .redirectErrorStream(true)
        .redirectOutput(work().resolve("perf.log").toFile())
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
