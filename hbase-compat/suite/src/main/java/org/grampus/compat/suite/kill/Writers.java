package org.grampus.compat.suite.kill;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.grampus.compat.suite.Violations;

/**
 * Threads that write to one table, each its own rows, and know what must be in it. They outlive
 * deaths of servers by the client's own retries. For one thread, but for {@link #operations}.
 */
public final class Writers implements AutoCloseable {
  private static final long END_SECONDS = 30;

  private final AtomicBoolean stop = new AtomicBoolean();
  private final AtomicLong operations = new AtomicLong();
  private final List<Writer> writers = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();

  /**
   * Writers that do not write yet.
   *
   * @param connection of a configuration that is {@link #patient}
   * @param violations takes answers that cannot be
   */
  public Writers(int count, Connection connection, Random random, Violations violations)
      throws IOException {
    for (int id = 0; id < count; id++) {
      Writer writer =
          new Writer(
              id,
              connection.getTable(Schema.TABLE),
              random.nextLong(),
              stop,
              operations,
              violations);
      writers.add(writer);
      Thread thread = new Thread(writer, "writer-" + id);
      thread.setUncaughtExceptionHandler(
          (ended, e) -> violations.add(ended.getName() + " has ended: " + e));
      threads.add(thread);
    }
  }

  /** Their table. */
  public static TableName table() {
    return Schema.TABLE;
  }

  /** Makes their table. */
  public static void createTable(Connection connection) throws IOException {
    try (var admin = connection.getAdmin()) {
      admin.createTable(Schema.descriptor(), Schema.splits());
    }
  }

  /** Lets calls outlive a restart: the client's own retries carry the nonces. */
  public static Configuration patient(Configuration conf) {
    conf.setInt("hbase.client.retries.number", 200);
    conf.setLong("hbase.client.pause", 50);
    conf.setInt("hbase.client.operation.timeout", 120_000);
    conf.setInt("hbase.rpc.timeout", 20_000);
    return conf;
  }

  /** Starts them. */
  public void start() {
    threads.forEach(Thread::start);
  }

  /** Operations that have ended, well or not. Any thread. */
  public long operations() {
    return operations.get();
  }

  /** Lets them end what they are at, and waits for it. */
  public void stop() throws InterruptedException {
    stop.set(true);
    for (Thread thread : threads) {
      thread.join();
    }
  }

  /** Compares the table with what they know, after {@link #stop}; returns the rows compared. */
  public int verify() throws IOException {
    int compared = 0;
    for (Writer writer : writers) {
      compared += writer.verify();
    }
    return compared;
  }

  /**
   * Lets them end what they are at, and waits a while for it: after a failure of something else.
   */
  @Override
  public void close() {
    stop.set(true);
    try {
      for (Thread thread : threads) {
        thread.join(TimeUnit.SECONDS.toMillis(END_SECONDS));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
