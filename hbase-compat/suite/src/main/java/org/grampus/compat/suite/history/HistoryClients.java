package org.grampus.compat.suite.history;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;

/**
 * Clients on a few hot rows, each with a connection and a thread, and the file of what they did and
 * saw. For one thread.
 */
public final class HistoryClients implements AutoCloseable {
  private static final int PLACES = 6;
  private static final int CALL_MILLIS = 6_000;
  private static final long END_MILLIS = 2 * CALL_MILLIS;

  private final AtomicBoolean stop = new AtomicBoolean();
  private final List<Connection> connections = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();
  private final AtomicReference<Throwable> failure = new AtomicReference<>();
  private final Recorder recorder;

  /**
   * Connects clients, which do nothing yet.
   *
   * @param configuration of a client; copied
   * @param history the file, which is replaced
   */
  public HistoryClients(int count, Configuration configuration, Path history, Random random)
      throws IOException {
    recorder = new Recorder(history);
    HotRows rows = new HotRows(PLACES);
    try {
      for (int id = 0; id < count; id++) {
        Connection connection = ConnectionFactory.createConnection(withoutRetries(configuration));
        connections.add(connection);
        HistoryClient client =
            new HistoryClient(
                id, connection.getTable(HotRows.TABLE), rows, random.nextLong(), recorder, stop);
        Thread thread = new Thread(client, "client-" + id);
        thread.setUncaughtExceptionHandler((ended, e) -> failure.compareAndSet(null, e));
        threads.add(thread);
      }
    } catch (IOException e) {
      close();
      throw e;
    }
  }

  /** A call is sent once, so that what it did is one operation. */
  private static Configuration withoutRetries(Configuration configuration) {
    Configuration conf = new Configuration(configuration);
    conf.setInt("hbase.client.retries.number", 0);
    conf.setInt("hbase.rpc.timeout", 5_000);
    conf.setInt("hbase.client.operation.timeout", CALL_MILLIS);
    conf.setInt("hbase.client.meta.operation.timeout", CALL_MILLIS);
    return conf;
  }

  /** Their table. */
  public static TableName table() {
    return HotRows.TABLE;
  }

  /** Makes their table, of one region. */
  public static void createTable(Connection connection) throws IOException {
    createTable(connection, new byte[0][]);
  }

  /** Makes their table with a region for every second row in use. */
  public static void createSplitTable(Connection connection) throws IOException {
    byte[][] splits = new byte[PLACES / 2 - 1][];
    for (int i = 0; i < splits.length; i++) {
      splits[i] = HotRows.start(2 * (i + 1));
    }
    createTable(connection, splits);
  }

  private static void createTable(Connection connection, byte[][] splits) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      if (splits.length == 0) {
        admin.createTable(HotRows.descriptor());
      } else {
        admin.createTable(HotRows.descriptor(), splits);
      }
    }
  }

  /** Starts them. */
  public void start() {
    threads.forEach(Thread::start);
  }

  /**
   * Lets them end what they are at, and waits for it.
   *
   * @throws IllegalStateException when one has ended before: its history is not whole
   */
  public void stop() throws InterruptedException {
    stop.set(true);
    for (Thread thread : threads) {
      thread.join();
    }
    if (failure.get() != null) {
      throw new IllegalStateException("a client of the history has ended", failure.get());
    }
  }

  /** Operations whose outcome is known, after {@link #stop}. */
  public long known() {
    return recorder.operations() - recorder.unknown();
  }

  /** What the file has, after {@link #stop}. */
  public String summary() {
    return recorder.operations() + " operations, " + recorder.unknown() + " of unknown outcome";
  }

  /** Ends them and closes the file. */
  @Override
  public void close() throws IOException {
    stop.set(true);
    try (recorder) {
      for (Connection connection : connections) {
        connection.close();
      }
      for (Thread thread : threads) {
        thread.join(END_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
