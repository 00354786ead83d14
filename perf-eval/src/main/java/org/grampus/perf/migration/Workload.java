package org.grampus.perf.migration;

import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Table;
import org.grampus.perf.ToolException;
import org.grampus.perf.process.Await;

/**
 * An application that writes to all tables, knows what must be in them, and does not care which
 * server it is connected to. One thread starts and stops it. It writes in a thread of its own,
 * which alone uses the rows between the two; the counter and the failure may be read at any time.
 */
final class Workload implements AutoCloseable {
  /**
   * Each table has its next row written after a pause, and a row comes again after many others. So
   * none is written twice in a millisecond: HBase hides a put of the same one as an earlier marker.
   * And the tools need processors, too.
   */
  private static final long PAUSE_MILLIS = 2;

  /** Longer than a call waits for a region that is altered. */
  private static final long STOP_MILLIS = 120_000;

  private static final long SOME_OPERATIONS = 1000;

  private final List<WorkloadRows> tables = new ArrayList<>();
  private final AtomicLong operations = new AtomicLong();
  private volatile boolean stops;
  private volatile Exception failure;
  private Connection connection;
  private Thread thread;

  Workload(Random random) {
    for (MigratedTable table : MigratedTable.values()) {
      tables.add(new WorkloadRows(table, new Random(random.nextLong())));
    }
  }

  /** Connects to a server and writes from now on; returns once it has written for a while. */
  void startOn(Side side) throws ToolException, IOException, InterruptedException {
    connection = side.connect();
    stops = false;
    thread = new Thread(this::write, "application on " + side);
    thread.start();
    awaitMore();
  }

  /** Returns once it has written for another while. */
  void awaitMore() throws ToolException, InterruptedException {
    long enough = operations() + SOME_OPERATIONS;
    Await.until(
        "writes of the " + thread.getName(),
        List.of(),
        () -> failure != null || operations() >= enough);
    requireNoFailure();
  }

  private void write() {
    Map<MigratedTable, Table> open = new EnumMap<>(MigratedTable.class);
    try {
      for (WorkloadRows rows : tables) {
        open.put(rows.migrated(), connection.getTable(rows.migrated().table()));
      }
      while (!stops) {
        for (WorkloadRows rows : tables) {
          rows.writeNext(open.get(rows.migrated()));
          operations.incrementAndGet();
        }
        Thread.sleep(PAUSE_MILLIS);
      }
    } catch (IOException | ToolException | RuntimeException e) {
      failure = e;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** How many there were so far. */
  long operations() {
    return operations.get();
  }

  /** Stops writing and disconnects. */
  void stop() throws ToolException, IOException, InterruptedException {
    stops = true;
    thread.join(STOP_MILLIS);
    if (thread.isAlive()) {
      throw new ToolException(
          "the application still waits for a call after " + STOP_MILLIS + " ms");
    }
    connection.close();
    requireNoFailure();
  }

  private void requireNoFailure() throws ToolException {
    if (failure != null) {
      throw new ToolException("the application has failed: " + failure, failure);
    }
  }

  /**
   * Compares all tables with what it knows, when it has stopped; returns the number of values.
   *
   * @throws ToolException when one differs
   */
  int verify(Side side) throws ToolException, IOException {
    int values = 0;
    for (WorkloadRows rows : tables) {
      values += rows.verify(side);
    }
    return values;
  }

  /**
   * Stops it after a failure of something else. Neither the thread nor its connection is waited
   * for: its server is about to end, and a call may try for minutes.
   */
  @Override
  public void close() {
    stops = true;
    if (thread != null) {
      thread.interrupt();
    }
  }
}
