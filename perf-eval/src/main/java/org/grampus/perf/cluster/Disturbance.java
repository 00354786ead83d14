package org.grampus.perf.cluster;

import java.io.IOException;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.grampus.compat.suite.history.Upheaval;

/**
 * A thread that flushes, compacts, splits and moves the regions of a table while processes die. For
 * one thread.
 */
public final class Disturbance implements AutoCloseable {
  private static final int CALL_MILLIS = 10_000;
  private static final int PAUSE_MILLIS_MAX = 2000;

  private final Connection connection;
  private final Random random;
  private final Upheaval upheaval;
  private final Thread thread;
  private volatile boolean ended;

  /** Connects; it does nothing yet. */
  public Disturbance(Configuration configuration, long seed) throws IOException {
    Configuration conf = new Configuration(configuration);
    conf.setInt("hbase.client.operation.timeout", CALL_MILLIS);
    conf.setInt("hbase.client.sync.wait.timeout.msec", CALL_MILLIS);
    conf.setInt("hbase.client.retries.number", 5);
    connection = ConnectionFactory.createConnection(conf);
    random = new Random(seed);
    upheaval = new Upheaval(connection, random.nextLong());
    thread = new Thread(this::run, "disturbance");
  }

  /** Begins. */
  public void start() {
    thread.start();
  }

  private void run() {
    try {
      while (!ended) {
        upheaval.once();
        TimeUnit.MILLISECONDS.sleep(random.nextInt(PAUSE_MILLIS_MAX));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Ends what it is at, and waits for it. */
  @Override
  public void close() throws IOException {
    ended = true;
    thread.interrupt();
    try {
      thread.join(2L * CALL_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    connection.close();
  }
}
