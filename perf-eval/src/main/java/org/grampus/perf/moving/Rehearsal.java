package org.grampus.perf.moving;

import java.io.IOException;
import java.util.Locale;
import java.util.Random;
import org.apache.hadoop.hbase.client.Table;
import org.grampus.perf.ToolException;

/** The steps of docs/cluster.md, "Moving in", and those back. For one thread. */
public final class Rehearsal {
  private final Side old;
  private final Side fresh;
  private final Random random;

  /**
   * With servers without tables.
   *
   * @param old a stock HBase
   * @param fresh Grampus
   * @param random decides what the application writes
   */
  public Rehearsal(Side old, Side fresh, Random random) {
    this.old = old;
    this.fresh = fresh;
    this.random = random;
  }

  /**
   * Moves, and back; returns a sentence of what was done.
   *
   * @throws ToolException when something is not on the other side, or a tool fails
   */
  public String run() throws ToolException, IOException, InterruptedException {
    createTables();
    switchCompactions(false);
    try (Application application = new Application(random)) {
      application.startOn(old);
      long left = moveIn(application);
      application.startOn(fresh);
      moveBack(application, left);
      int cells = compareCompacted();
      application.startOn(old);
      application.stop();
      application.verify(old);
      return String.format(
          Locale.ROOT,
          "%d tables moved in and back beside %d operations, %d cells are the same once compacted",
          MovingTable.values().length,
          application.operations(),
          cells);
    }
  }

  private void createTables() throws ToolException, IOException {
    for (MovingTable moving : MovingTable.values()) {
      TableShape.create(old, moving.table());
      try (Table table = old.table(moving.table())) {
        new FirstRows(table, System.currentTimeMillis()).write();
      }
      TableShape.createLike(old, fresh, moving.table());
    }
  }

  private void switchCompactions(boolean on) throws IOException {
    Move.compactions(old, on);
    Move.compactions(fresh, on);
  }

  /** Returns a time at which everything is on the old side, in ms. */
  private long moveIn(Application application)
      throws ToolException, IOException, InterruptedException {
    System.out.println("moving in, from " + old + " to " + fresh);
    Move move = new Move(old, fresh, application);
    Pass bulk = Pass.until(System.currentTimeMillis());
    move.beside(bulk, MovingTable::bulk);
    Pass since = bulk.next(System.currentTimeMillis());
    move.beside(since, MovingTable::since);
    move.end(since);
    return System.currentTimeMillis();
  }

  private void moveBack(Application application, long left)
      throws ToolException, IOException, InterruptedException {
    System.out.println("moving back, from " + fresh + " to " + old);
    Move move = new Move(fresh, old, application);
    Pass since = Pass.between(left, System.currentTimeMillis());
    move.beside(since, MovingTable::since);
    move.end(since);
  }

  /** Compactions drop what markers and limits hide; a client must not see it. */
  private int compareCompacted() throws ToolException, IOException, InterruptedException {
    switchCompactions(true);
    Comparison comparison = new Comparison(old, fresh);
    int cells = 0;
    for (MovingTable table : MovingTable.values()) {
      old.compact(table.table());
      fresh.compact(table.table());
      cells += comparison.cells(table, false);
    }
    return cells;
  }
}
