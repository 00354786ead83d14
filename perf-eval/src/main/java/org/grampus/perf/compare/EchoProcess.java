package org.grampus.perf.compare;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.grampus.compat.suite.target.FreePorts;
import org.grampus.perf.ToolException;
import org.grampus.perf.echo.EchoConnection;
import org.grampus.perf.echo.EchoServer;
import org.grampus.perf.process.Await;
import org.grampus.perf.process.ClientProgram;
import org.grampus.perf.process.ClientRun;
import org.grampus.perf.process.Daemon;
import org.grampus.perf.process.MeasuredServer;
import org.grampus.perf.process.ProcSample;

/** An echo in a JVM with the collector and the Netty of a server, and a heap of 64 MiB. */
final class EchoProcess implements Target, AutoCloseable {
  private static final String HEAP = " -Xmx64m";

  /** A first reply takes less; another program that has the port may never send one. */
  private static final int REPLY_MILLIS = 5000;

  private final Bench bench;
  private final int port;
  private final Daemon daemon;

  private EchoProcess(Bench bench, Path directory, int port, String serverJvm) {
    this.bench = bench;
    this.port = port;
    List<String> command =
        List.of(bench.checkout().grampus(), "run", EchoServer.class.getName(), "" + port);
    Map<String, String> variables =
        Map.of("GRAMPUS_CLIENT_OPTS", serverJvm + HEAP, "MALLOC_ARENA_MAX", "1");
    daemon = new Daemon(Echo.NAME + "-" + port, directory, command, variables);
  }

  /**
   * Starts one and returns once it answers.
   *
   * @param directory where its output goes
   */
  static EchoProcess start(Bench bench, Path directory)
      throws ToolException, IOException, InterruptedException {
    String serverJvm = System.getenv(MeasuredServer.SERVER_JVM);
    if (serverJvm == null) {
      throw new ToolException(
          MeasuredServer.SERVER_JVM + " is not set; run the tool as bin/grampus perf");
    }
    EchoProcess echo = new EchoProcess(bench, directory, FreePorts.next(), serverJvm);
    echo.daemon.start();
    try {
      Await.until("an echo that answers", List.of(echo.daemon), echo::answers);
      return echo;
    } catch (ToolException | InterruptedException e) {
      echo.close();
      throw e;
    }
  }

  private boolean answers() throws IOException {
    try (EchoConnection connection = EchoConnection.open(port, REPLY_MILLIS)) {
      connection.call();
      return true;
    }
  }

  @Override
  public ProcSample sample() throws ToolException {
    daemon.require();
    try {
      return ProcSample.of(daemon.pid());
    } catch (IOException e) {
      throw new ToolException("the echo has ended", e);
    }
  }

  @Override
  public ClientRun run(List<String> arguments)
      throws ToolException, IOException, InterruptedException {
    List<String> command =
        Stream.of(
                Stream.of(bench.checkout().grampus()),
                arguments.stream(),
                Stream.of("--port=" + port))
            .flatMap(words -> words)
            .toList();
    return bench.run(new ClientProgram(command).whileRuns(daemon::runs));
  }

  @Override
  public void awaitAftermath(Row row) {}

  @Override
  public long tableBytes(Row row) {
    return 0;
  }

  @Override
  public void close() {
    Daemon.end(List.of(daemon));
  }

  @Override
  public String toString() {
    return Echo.NAME;
  }
}
