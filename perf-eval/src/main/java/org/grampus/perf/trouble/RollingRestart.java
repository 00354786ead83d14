package org.grampus.perf.trouble;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.grampus.perf.ToolException;
import org.grampus.perf.process.ClientProgram;

/**
 * {@code bin/grampus rolling-restart} over all region servers: each request is answered within
 * seconds, since no server dies with its regions.
 */
record RollingRestart(Bench bench) implements Trouble {
  private static final long POLL_MILLIS = 100;
  private static final Duration LIMIT = Duration.ofMinutes(5);
  private static final String NAME = "a rolling restart";

  @Override
  public void cause() throws ToolException, IOException, InterruptedException {
    bench.mayEnd(bench.regionServers()); // the command ends them, the service manager starts them
    Path restart = bench.cluster().directory().resolve("restart.sh");
    Files.writeString(restart, script());
    Path log = bench.cluster().directory().resolve("rolling-restart.log");
    ClientProgram program =
        bench
            .cluster()
            .grampus("rolling-restart", "--wait", "60", "sh", restart.toString(), "{port}");
    try (ClientProgram.Background running = program.inBackground(log)) {
      long deadline = System.nanoTime() + LIMIT.toNanos();
      while (running.runs()) {
        bench.revive(NAME);
        TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
        if (System.nanoTime() - deadline > 0) {
          throw new ToolException(NAME + " has no end; see " + log);
        }
      }
      running.await(0);
    }
    bench.requireAvailable(NAME);
  }

  /** Ends the process of the server with a port. */
  private String script() {
    return bench.regionServers().stream()
        .map(
            node ->
                node.port()
                    + ") kill -TERM "
                    + node.daemon().processes().findFirst().orElseThrow().pid()
                    + " ;;")
        .collect(Collectors.joining("\n", "case $1 in\n", "\n*) exit 1 ;;\nesac\n"));
  }
}
