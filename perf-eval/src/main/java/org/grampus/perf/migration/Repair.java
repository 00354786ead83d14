package org.grampus.perf.migration;

import java.io.IOException;
import java.util.Locale;
import org.apache.hadoop.hbase.TableName;
import org.grampus.perf.ToolException;
import org.grampus.perf.process.Counters;

/**
 * Carries over by {@code SyncTable} what no pass sees. For one thread.
 *
 * <p>One round need not suffice. Where the target has more versions than a client sees, a hidden
 * one comes to light when {@code SyncTable} deletes a visible one. And what a round has deleted it
 * cannot put back: its marker hides the cell until a major compaction has dropped both.
 */
final class Repair {
  private static final int ROUNDS = 6;

  private final Side source;
  private final Side target;
  private int runs;

  Repair(Side source, Side target) {
    this.source = source;
    this.target = target;
  }

  /** One round, of a table that may be written meanwhile. */
  void once(TableName table) throws ToolException, IOException, InterruptedException {
    hash(table).repair();
  }

  /**
   * Repairs a table that nobody writes until it is the same on both sides; returns how many rounds
   * that took.
   *
   * @throws ToolException when there is nothing to repair, or it still differs in the end
   */
  int untilSame(TableName table) throws ToolException, IOException, InterruptedException {
    SyncTableRun run = hash(table);
    Counters found = run.compare();
    SyncTableRun.requireDifference(table, found);
    int rounds = 0;
    while (!SyncTableRun.isSame(found) && rounds < ROUNDS) {
      rounds++;
      found = round(run, found);
      System.out.printf(
          Locale.ROOT,
          "  %s: %d different cells after repair %d%n",
          table,
          SyncTableRun.differentCells(found),
          rounds);
    }
    SyncTableRun.requireSame(table, found);
    return rounds;
  }

  /** Repairs what was found; returns what still differs. */
  private Counters round(SyncTableRun run, Counters before)
      throws ToolException, IOException, InterruptedException {
    run.repair();
    Counters after = run.compare();
    if (SyncTableRun.differentCells(after) >= SyncTableRun.differentCells(before)) {
      dropMarkers(run.table());
      return run.compare();
    }
    return after;
  }

  private void dropMarkers(TableName table)
      throws ToolException, IOException, InterruptedException {
    target.setCompactions(table, true);
    target.compact(table);
    target.setCompactions(table, false);
  }

  private SyncTableRun hash(TableName table)
      throws ToolException, IOException, InterruptedException {
    runs++;
    return SyncTableRun.hash(source, target, table, "repair-" + runs);
  }
}
