package org.grampus.perf.command;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.grampus.compat.suite.target.ServerKind;
import org.grampus.perf.LoadSecond;
import org.grampus.perf.LoadSummary;
import org.grampus.perf.SustainedLoad;
import org.grampus.perf.ToolException;
import org.grampus.perf.process.MeasuredServer;
import org.grampus.perf.process.ServerPlan;
import org.grampus.perf.result.Run;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** A server with little memory takes ten times as much, as fast as it can. */
@Command(
    name = "sustained",
    description = {
      "10 GiB in rows of 1 KB with random keys into a server of 1 GiB of memory, second by second:"
          + " build/sustained.tsv, and a picture, build/sustained.svg.",
      "Environment: SUSTAINED_MEMORY_MB, memory of the server, 1024 by default."
    })
final class Sustained extends MeasuringCommand {
  private static final long HEAP_MB = 256;

  @Option(
      names = "--rows",
      defaultValue = "10485760",
      description = "Rows in all. Default: ${DEFAULT-VALUE}")
  private long rows;

  @Option(
      names = "--memory",
      paramLabel = "MB",
      defaultValue = "${env:SUSTAINED_MEMORY_MB:-1024}",
      description = "Memory of the server. Default: ${DEFAULT-VALUE}")
  private long memoryMb;

  @Override
  protected void measure() throws Exception {
    Path tsv = checkout().build().resolve("sustained.tsv");
    Path svg = checkout().build().resolve("sustained.svg");
    ServerPlan plan = ServerPlan.of(ServerKind.GRAMPUS).memoryMb(memoryMb).heapMb(HEAP_MB);
    try (MeasuredServer server = MeasuredServer.start(checkout(), work().resolve("server"), plan)) {
      load(server, tsv);
      note(server.checkMemory(memoryMb));
      server.stop();
      sayDelays(server);
    }
    List<LoadSecond> seconds = LoadSecond.parse(Files.readString(tsv));
    write(settings(), List.of(run(LoadSummary.of(seconds))));
    draw(seconds, svg);
  }

  private static void draw(List<LoadSecond> seconds, Path svg) {
    try {
      SustainedPicture.draw(seconds, svg);
      note("picture: " + svg);
    } catch (IOException e) {
      note("no picture: " + e.getMessage());
    }
  }

  private void load(MeasuredServer server, Path tsv) throws Exception {
    int code =
        server
            .client(
                List.of(
                    "run",
                    SustainedLoad.class.getName(),
                    "--rows",
                    String.valueOf(rows),
                    "--out",
                    tsv.toString(),
                    "--server-pid",
                    String.valueOf(server.pid())))
            .environment("GRAMPUS_CLIENT_OPTS", "-Xmx1g -Dhbase.root.logger=WARN")
            .runVisibly();
    if (code != 0) {
      throw new ToolException("the load failed with exit code " + code + "; what it said is above");
    }
  }

  /** What the server said about writes that it slowed down or refused. */
  private static void sayDelays(MeasuredServer server) throws Exception {
    for (Path file : server.logs()) {
      try (Stream<String> lines = Files.lines(file)) {
        lines
            .filter(
                line ->
                    line.contains("slowed down")
                        || line.contains("refused")
                        || line.contains("flow again"))
            .forEach(System.out::println);
      }
    }
  }

  private static Run run(LoadSummary summary) {
    Map<String, Object> figures = new LinkedHashMap<>();
    figures.put("seconds", summary.seconds());
    figures.put("rowsPerSecond", summary.rowsPerSecond());
    figures.put("worstShare", summary.worstShare());
    figures.put("variation", summary.variation());
    figures.put("putP99MicrosMedian", summary.putP99MicrosMedian());
    figures.put("putP99MicrosWorst", summary.putP99MicrosWorst());
    figures.put("storeFilesMax", summary.storeFilesMax());
    figures.put("rssMbMax", summary.rssMbMax());
    return Run.ofFigures("grampus", "sustained", figures);
  }

  private Map<String, Object> settings() {
    Map<String, Object> settings = new LinkedHashMap<>();
    settings.put("rows", rows);
    settings.put("memoryMb", memoryMb);
    settings.put("heapMb", HEAP_MB);
    return settings;
  }
}
