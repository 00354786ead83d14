package org.grampus.perf.moving;

import java.io.IOException;
import java.util.List;
import java.util.Locale;
import org.apache.hadoop.hbase.client.Admin;
import org.grampus.perf.ToolException;
import org.grampus.perf.process.Expect;

/** A move of all tables from one server to another while an application writes. */
final class Move {
  private static final double NANOS = 1e9;

  /** How a table goes. */
  @FunctionalInterface
  interface Choice {
    Way of(MovingTable table);
  }

  private final Side from;
  private final Side to;
  private final Application application;

  Move(Side from, Side to, Application application) {
    this.from = from;
    this.to = to;
    this.application = application;
  }

  /** A pass of all tables beside the application. */
  void beside(Pass pass, Choice way) throws ToolException, IOException, InterruptedException {
    long before = application.operations();
    pass(pass, way);
    long meanwhile = application.operations() - before;
    Expect.equal("the application writes beside the " + pass, true, meanwhile > 0);
    System.out.printf(Locale.ROOT, "  %d operations meanwhile%n", meanwhile);
  }

  /** Stops the application and moves what is left; both servers must have the same then. */
  void end(Pass before) throws ToolException, IOException, InterruptedException {
    application.stop();
    application.verify(from);
    pass(before.last(), MovingTable::since);
    Comparison comparison = new Comparison(from, to);
    for (MovingTable table : MovingTable.values()) {
      long begun = System.nanoTime();
      int cells = comparison.compare(table);
      say(table + ": " + cells + " cells are the same", begun);
    }
    int values = application.verify(to);
    System.out.println("  the application finds its " + values + " values on " + to);
  }

  private void pass(Pass pass, Choice way) throws ToolException, IOException, InterruptedException {
    for (MovingTable table : MovingTable.values()) {
      long begun = System.nanoTime();
      way.of(table).move(from, to, table.table(), pass);
      say(pass + " of " + table.table() + " to " + to, begun);
    }
  }

  private static void say(String what, long begun) {
    double seconds = (System.nanoTime() - begun) / NANOS;
    System.out.printf(Locale.ROOT, "  %-48s %6.1f s%n", what, seconds);
  }

  /** Switches compactions of a server on or off. */
  static void compactions(Side side, boolean on) throws IOException {
    try (Admin admin = side.connection().getAdmin()) {
      admin.compactionSwitch(on, List.of());
    }
  }
}
