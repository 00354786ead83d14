package org.grampus.perf.ycsb;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.HdrHistogram.Histogram;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.grampus.perf.client.ClientFigures;
import org.grampus.perf.client.ThreadShare;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import site.ycsb.Workload;
import site.ycsb.WorkloadException;
import site.ycsb.workloads.CoreWorkload;

/**
 * Loads YCSB's records or does its operations, from several threads, as fast as answers come.
 * Records are loaded through a buffer, operations are calls.
 */
@Command(name = "ycsb", mixinStandardHelpOptions = true)
public final class YcsbClient implements Callable<Integer> {
  private static final int DIGITS = 3;
  private static final double NANOS = 1e9;

  @Option(names = "--mix", defaultValue = "A", description = "${COMPLETION-CANDIDATES}")
  private CoreMix mix;

  @Option(names = "--load", description = "Inserts the records instead.")
  private boolean loading;

  @Option(names = "--records", required = true, description = "Records that it is loaded with.")
  private long records;

  @Option(names = "--operations", defaultValue = "0", description = "Of all threads.")
  private long operations;

  @Option(names = "--threads", required = true, description = "How many.")
  private int threads;

  @Option(names = "--report", required = true, description = "Where figures go as JSON.")
  private Path report;

  @Parameters(paramLabel = "TABLE")
  private String table;

  /** Runs it. */
  public static void main(String[] args) {
    System.exit(
        new CommandLine(new YcsbClient()).setCaseInsensitiveEnumValuesAllowed(true).execute(args));
  }

  @Override
  public Integer call() throws Exception {
    try (Connection connection = ConnectionFactory.createConnection(HBaseConfiguration.create());
        BufferedMutator buffer = connection.getBufferedMutator(TableName.valueOf(table))) {
      Properties properties = properties(recordsNow(connection));
      Workload workload = KeyedWorkload.begin(properties);
      try {
        run(workload, properties, connection, loading ? buffer : null).write(report);
      } finally {
        workload.cleanup();
      }
    }
    return CommandLine.ExitCode.OK;
  }

  /** Of a run on a table with this number of records. */
  private Properties properties(long there) {
    Properties properties = mix.properties(there, operations);
    properties.setProperty(CoreWorkload.TABLENAME_PROPERTY, table);
    return properties;
  }

  /** Where the keys of inserts begin: behind those of the load, and of runs before this one. */
  private long recordsNow(Connection connection) throws WorkloadException, IOException {
    if (loading || !mix.inserts()) {
      return records;
    }
    KeyedWorkload keys = KeyedWorkload.begin(properties(records));
    try (Table opened = connection.getTable(TableName.valueOf(table))) {
      RecordNumbers numbers = number -> opened.exists(new Get(Bytes.toBytes(keys.key(number))));
      return numbers.end(records);
    }
  }

  private ClientFigures run(
      Workload workload, Properties properties, Connection connection, BufferedMutator buffer)
      throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      List<TimedDatabase> databases = new ArrayList<>();
      List<Future<?>> ends = new ArrayList<>();
      long begun = System.nanoTime();
      for (int thread = 0; thread < threads; thread++) {
        TimedDatabase database = new TimedDatabase(new HBaseDatabase(connection, buffer));
        databases.add(database);
        Object state = workload.initThread(properties, thread, threads);
        long share = ThreadShare.of(total(), threads, thread);
        ends.add(pool.submit(() -> work(workload, database, state, share)));
      }
      for (Future<?> end : ends) {
        end.get();
      }
      return figures(databases, (System.nanoTime() - begun) / NANOS);
    } finally {
      pool.shutdownNow();
    }
  }

  private long total() {
    return loading ? records : operations;
  }

  private Void work(Workload workload, TimedDatabase database, Object state, long share)
      throws WorkloadException {
    for (long done = 0; done < share; done++) {
      boolean goesOn =
          loading ? workload.doInsert(database, state) : workload.doTransaction(database, state);
      if (!goesOn) {
        throw new WorkloadException(
            "YCSB gave up after " + done + " operations: " + database.lastError());
      }
    }
    return null;
  }

  private ClientFigures figures(List<TimedDatabase> databases, double seconds) {
    Histogram micros = new Histogram(DIGITS);
    databases.forEach(database -> micros.add(database.micros()));
    long errors = databases.stream().mapToLong(TimedDatabase::errors).sum();
    databases.stream()
        .map(TimedDatabase::lastError)
        .filter(error -> error != null)
        .findFirst()
        .ifPresent(error -> System.out.println("an operation failed: " + error));
    return ClientFigures.of(total(), seconds, micros, errors, 0);
  }
}
