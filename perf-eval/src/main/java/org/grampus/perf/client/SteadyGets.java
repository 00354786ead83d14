package org.grampus.perf.client;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.grampus.perf.ToolException;
import org.grampus.perf.process.ClientProgram;
import org.grampus.perf.process.ProcSample;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Gets of random rows of a table of PerformanceEvaluation, each thread over a connection of its
 * own, which knows all regions by then. The processor time of the server is that of the gets alone:
 * hundreds of connections and regions take some of it before the first.
 */
@Command(name = "steady-gets", mixinStandardHelpOptions = true)
public final class SteadyGets implements Callable<Integer> {
  @Option(names = "--connections", required = true, description = "And threads.")
  private int connections;

  @Option(names = "--rows", required = true, description = "Rows of the table.")
  private long rows;

  @Option(names = "--operations", required = true, description = "Gets of all threads.")
  private long operations;

  @Option(names = "--report", required = true, description = "Where figures go as JSON.")
  private Path report;

  @Parameters(paramLabel = "TABLE")
  private String table;

  /** Runs it; the server's process is in {@link ClientProgram#SERVER_PID}. */
  public static void main(String[] args) {
    System.exit(new CommandLine(new SteadyGets()).execute(args));
  }

  @Override
  public Integer call() throws Exception {
    long server = server(System.getenv());
    ExecutorService pool = Executors.newFixedThreadPool(connections);
    List<GetThread> threads = new ArrayList<>();
    try {
      threads.addAll(results(pool.invokeAll(openings())));
      figures(server, pool, threads).write(report);
    } finally {
      for (GetThread thread : threads) {
        thread.close();
      }
      pool.shutdownNow();
    }
    return CommandLine.ExitCode.OK;
  }

  /**
   * The server's process.
   *
   * @throws ToolException when the environment does not name it
   */
  static long server(Map<String, String> environment) throws ToolException {
    String pid = environment.getOrDefault(ClientProgram.SERVER_PID, "");
    if (!pid.matches("\\d+")) {
      throw new ToolException(
          ClientProgram.SERVER_PID + " has to name the server's process, not '" + pid + "'");
    }
    return Long.parseLong(pid);
  }

  private List<Callable<GetThread>> openings() {
    Configuration conf = HBaseConfiguration.create();
    List<Callable<GetThread>> openings = new ArrayList<>();
    for (int number = 0; number < connections; number++) {
      int seed = number;
      long share = ThreadShare.of(operations, connections, number);
      openings.add(() -> GetThread.open(conf, TableName.valueOf(table), rows, share, seed));
    }
    return openings;
  }

  private ClientFigures figures(long server, ExecutorService pool, List<GetThread> threads)
      throws IOException, InterruptedException, ExecutionException {
    long before = ProcSample.of(server).cpuMicros();
    TimedCalls gets = TimedCalls.of(pool, threads);
    long taken = ProcSample.of(server).cpuMicros() - before;
    return ClientFigures.of(operations, gets.seconds(), gets.micros(), 0, operations)
        .withServerCpu(taken);
  }

  private static <T> List<T> results(List<Future<T>> ends)
      throws InterruptedException, ExecutionException {
    List<T> results = new ArrayList<>();
    for (Future<T> end : ends) {
      results.add(end.get());
    }
    return results;
  }
}
