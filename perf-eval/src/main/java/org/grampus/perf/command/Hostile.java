package org.grampus.perf.command;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.grampus.compat.suite.hostile.HostileClients;
import org.grampus.compat.suite.target.ServerKind;
import org.grampus.perf.ToolException;
import org.grampus.perf.process.ClientProgram;
import org.grampus.perf.process.MeasuredServer;
import org.grampus.perf.process.ServerPlan;
import org.grampus.perf.result.Run;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * The server for {@link HostileClients}, which judges it. Server and attackers may have as many
 * files open as the system lets them: a JVM raises its limit to that by itself.
 */
@Command(
    name = "hostile",
    description = {
      "Clients that mean harm against a server on loopback, beside one that does its work.",
      "Fails when that one has less than its share of its speed or sees an error, when the server"
          + " ends or takes more than its memory, when it is not afterwards what it was before, or"
          + " when an attack came to nothing. Traffic stays on loopback."
    })
final class Hostile extends MeasuringCommand {
  private static final String CLIENT_OPTIONS = "GRAMPUS_CLIENT_OPTS";

  private static final int SHORT_SECONDS = 4;
  private static final int LONG_SECONDS = 30;

  @Option(names = "--long", description = "30 s for each attack instead of 4")
  private boolean isLong;

  @Option(
      names = "--share",
      paramLabel = "PERCENT",
      defaultValue = "50",
      description =
          "What the good client keeps of its speed at least; less where the machine has other work."
              + " Default: ${DEFAULT-VALUE}")
  private int share;

  @Option(
      names = "--target",
      defaultValue = "grampus",
      description = "grampus or hbase. Default: ${DEFAULT-VALUE}")
  private ServerKind target;

  @Option(
      names = "--memory",
      paramLabel = "MB",
      defaultValue = "2048",
      description = "Memory of the server. Default: ${DEFAULT-VALUE}")
  private long memoryMb;

  @Option(
      names = "--attack",
      paramLabel = "NAME",
      description = "Only attacks whose names begin so")
  private List<String> attacks = new ArrayList<>();

  @Override
  protected void measure() throws Exception {
    ServerPlan plan =
        ServerPlan.of(target).memoryMb(memoryMb).publishingMetrics().findingLostBuffers();
    if (target == ServerKind.HBASE) {
      // as heap what Grampus shares out among heap, direct buffers and engine
      plan = plan.heapMb(memoryMb * 3 / 4);
    }
    try (MeasuredServer server = MeasuredServer.start(checkout(), work(), plan)) {
      int code = judge(server).runVisibly();
      long peakRssMb = server.sample().peakRssMb();
      server.stop();
      write(settings(), List.of(run(code == 0, peakRssMb)));
      requireNoLeak(server);
      if (code != 0) {
        throw new ToolException("the server did not stand it; the faults are above");
      }
    }
  }

  private Run run(boolean stood, long peakRssMb) {
    return Run.ofFigures(
        target.name().toLowerCase(Locale.ROOT),
        "hostile",
        Map.of("stood", stood, "peakRssMb", peakRssMb));
  }

  private Map<String, Object> settings() {
    return Map.of(
        "memoryMb", memoryMb, "secondsEach", seconds(), "share", share, "attacks", attacks);
  }

  private int seconds() {
    return isLong ? LONG_SECONDS : SHORT_SECONDS;
  }

  private ClientProgram judge(MeasuredServer server) {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "run",
                HostileClients.class.getName(),
                "--pid",
                String.valueOf(server.pid()),
                "--memory",
                String.valueOf(memoryMb),
                "--seconds",
                String.valueOf(seconds()),
                "--share",
                String.valueOf(share),
                "--metrics",
                server.metricsFile().toString()));
    attacks.forEach(name -> arguments.addAll(List.of("--attack", name)));
    String options = Optional.ofNullable(System.getenv(CLIENT_OPTIONS)).orElse("-Xmx1500m");
    return server.client(arguments).environment(CLIENT_OPTIONS, options);
  }

  private static void requireNoLeak(MeasuredServer server) throws ToolException, IOException {
    for (Path file : server.logs()) {
      try (Stream<String> lines = Files.lines(file)) {
        Optional<String> leak = lines.filter(line -> line.contains("LEAK:")).findFirst();
        if (leak.isPresent()) {
          throw new ToolException("a buffer was lost: " + leak.get());
        }
      }
    }
  }
}
