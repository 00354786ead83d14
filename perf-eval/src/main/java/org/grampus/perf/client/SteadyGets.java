package org.grampus.perf.client;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.HdrHistogram.Histogram;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
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
  private static final int DIGITS = 3;
  private static final double NANOS = 1e9;

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
    ExecutorService pool = Executors.newFixedThreadPool(connections);
    List<Reader> readers = new ArrayList<>();
    try {
      readers.addAll(results(pool.invokeAll(openings())));
      figures(pool, readers).write(report);
    } finally {
      for (Reader reader : readers) {
        reader.close();
      }
      pool.shutdownNow();
    }
    return CommandLine.ExitCode.OK;
  }

  private List<Callable<Reader>> openings() {
    Configuration conf = HBaseConfiguration.create();
    List<Callable<Reader>> openings = new ArrayList<>();
    for (int number = 0; number < connections; number++) {
      int seed = number;
      long share = share(operations, connections, number);
      openings.add(() -> Reader.open(conf, TableName.valueOf(table), rows, share, seed));
    }
    return openings;
  }

  /**
   * What one of several threads does of all operations: as evenly as it comes out.
   *
   * @param number of the thread, from 0
   */
  public static long share(long all, int parts, int number) {
    return all / parts + (number < all % parts ? 1 : 0);
  }

  private ClientFigures figures(ExecutorService pool, List<Reader> readers)
      throws IOException, InterruptedException, ExecutionException {
    long server = Long.parseLong(System.getenv(ClientProgram.SERVER_PID));
    long before = ProcSample.of(server).cpuMicros();
    long begun = System.nanoTime();
    Histogram micros = new Histogram(DIGITS);
    for (Histogram ofReader : results(pool.invokeAll(readers))) {
      micros.add(ofReader);
    }
    double seconds = (System.nanoTime() - begun) / NANOS;
    long taken = ProcSample.of(server).cpuMicros() - before;
    return ClientFigures.of(operations, seconds, micros, 0, operations).withServerCpu(taken);
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
