package org.grampus.perf.echo;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.HdrHistogram.Histogram;
import org.grampus.perf.client.ClientFigures;
import org.grampus.perf.client.ThreadShare;
import org.grampus.perf.client.TimedCalls;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Calls an echo from several threads, each over a connection of its own, one call at a time. */
@Command(name = "echo-client", mixinStandardHelpOptions = true)
public final class EchoClient implements Callable<Integer> {
  @Option(names = "--port", required = true, description = "The echo's, on loopback.")
  private int port;

  @Option(names = "--threads", required = true, description = "How many.")
  private int threads;

  @Option(names = "--operations", required = true, description = "Calls of all threads.")
  private long operations;

  @Option(names = "--report", required = true, description = "Where figures go as JSON.")
  private Path report;

  /** Runs it. */
  public static void main(String[] args) {
    System.exit(new CommandLine(new EchoClient()).execute(args));
  }

  @Override
  public Integer call() throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      TimedCalls calls = TimedCalls.of(pool, connections());
      ClientFigures.of(operations, calls.seconds(), calls.micros(), 0, 0).write(report);
    } finally {
      pool.shutdownNow();
    }
    return CommandLine.ExitCode.OK;
  }

  private List<Callable<Histogram>> connections() {
    List<Callable<Histogram>> connections = new ArrayList<>();
    for (int thread = 0; thread < threads; thread++) {
      long share = ThreadShare.of(operations, threads, thread);
      connections.add(() -> calls(share));
    }
    return connections;
  }

  private Histogram calls(long count) throws IOException {
    try (EchoConnection connection = EchoConnection.open(port)) {
      return TimedCalls.repeat(count, connection::call);
    }
  }
}
