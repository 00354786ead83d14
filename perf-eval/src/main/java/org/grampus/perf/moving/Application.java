package org.grampus.perf.moving;

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
 * server it is connected to. For one thread, beside that of its own.
 */
final class Application implements AutoCloseable {
  /** Less than its server could do: the tools need processors, too. */
  private static final long PAUSE_MILLIS = 2;

  private static final long WARM_OPERATIONS = 1000;

  private final List<ApplicationRows> tables = new ArrayList<>();
  private final AtomicLong operations = new AtomicLong();
  private volatile boolean stops;
  private volatile Exception failure;
  private Connection connection;
  private Thread thread;

  Application(Random random) {
    for (MovingTable table : MovingTable.values()) {
      tables.add(new ApplicationRows(table, new Random(random.nextLong())));
    }
  }

  /** Connects to a server and writes from now on; returns once it has written for a while. */
  void startOn(Side side) throws ToolException, IOException, InterruptedException {
    connection = side.connect();
    stops = false;
    thread = new Thread(this::write, "application on " + side);
    thread.start();
    long before = operations();
    Await.until(
        "the application on " + side,
        List.of(),
        () -> failure != null || operations() > before + WARM_OPERATIONS);
    requireNoFailure();
  }

  private void write() {
    Map<MovingTable, Table> open = new EnumMap<>(MovingTable.class);
    try {
      for (ApplicationRows rows : tables) {
        open.put(rows.moving(), connection.getTable(rows.moving().table()));
      }
      while (!stops) {
        for (ApplicationRows rows : tables) {
          rows.writeNext(open.get(rows.moving()));
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
    thread.join();
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
    for (ApplicationRows rows : tables) {
      values += rows.verify(side);
    }
    return values;
  }

  /** Stops it after a failure of something else: its server is about to go. */
  @Override
  public void close() {
    stops = true;
    if (thread != null) {
      thread.interrupt();
    }
  }
}
