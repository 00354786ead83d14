package org.grampus.perf.command;

import java.util.ArrayList;
import java.util.List;

/**
 * Tests that HBase's PerformanceEvaluation and ours must do alike. Each finds the rows of the one
 * before it.
 */
enum AgreedWork {
  /** Buffered puts. */
  SEQUENTIAL_WRITE("sequentialWrite", 4, 1),
  /** The same in another order. */
  RANDOM_WRITE("randomWrite", 4, 1),
  /** One get per call. */
  SEQUENTIAL_READ("sequentialRead", 4, 2.0 / 5),
  /** The same in another order. */
  RANDOM_READ("randomRead", 4, 2.0 / 5),
  /** All rows, by one client. */
  SCAN("scan", 1, 4);

  /** The table of both classes. */
  static final String TABLE = "TestTable";

  private final String test;
  private final int clients;
  private final double share;

  /**
   * A test.
   *
   * @param share rows of a client, of those that each of four clients writes
   */
  AgreedWork(String test, int clients, double share) {
    this.test = test;
    this.clients = clients;
    this.share = share;
  }

  private long rowsOfClient(long rows) {
    return Math.max(1, Math.round(rows * share));
  }

  /** Rows of all clients, when each of four writes some. */
  long rows(long rows) {
    return rowsOfClient(rows) * clients;
  }

  /** Arguments of {@code bin/grampus}, as a user types them. */
  List<String> arguments(PeClass program, long rows) {
    List<String> arguments = new ArrayList<>(program.command());
    arguments.add("--nomapred");
    arguments.add("--rows=" + rowsOfClient(rows));
    arguments.add(test);
    arguments.add(String.valueOf(clients));
    return arguments;
  }

  /** PerformanceEvaluation's name. */
  @Override
  public String toString() {
    return test;
  }
}
