package org.grampus.perf.migration;

import java.io.IOException;
import java.util.Locale;
import org.apache.hadoop.hbase.TableName;
import org.grampus.perf.ToolException;
import org.grampus.perf.process.Expect;
import org.grampus.perf.process.Took;

/** A migration of all tables from one server to another, beside a workload. For one thread. */
final class Migration {
  /** Chooses the method of a table. */
  @FunctionalInterface
  interface MethodOf {
    CopyMethod of(MigratedTable table);
  }

  private final Side source;
  private final Side target;
  private final Workload workload;
  private final Comparison comparison;
  private final Repair repair;

  /** The workload writes to the source. */
  Migration(Side source, Side target, Workload workload) {
    this.source = source;
    this.target = target;
    this.workload = workload;
    comparison = new Comparison(source, target);
    repair = new Repair(source, target);
  }

  /** A pass of all tables beside the workload. */
  void copyBeside(Pass pass, MethodOf method)
      throws ToolException, IOException, InterruptedException {
    long before = workload.operations();
    copy(pass, method);
    Expect.equal("writes beside the " + pass, true, workload.operations() > before);
    System.out.printf(Locale.ROOT, "  %d operations so far%n", workload.operations());
  }

  private void copy(Pass pass, MethodOf method)
      throws ToolException, IOException, InterruptedException {
    for (MigratedTable table : MigratedTable.values()) {
      long begun = System.nanoTime();
      method.of(table).copy(source, target, table.table(), pass);
      Took.print("  " + pass + " of " + table.table() + " to " + target, begun);
    }
  }

  /** Flushes both sides, so that the tools read files as well as memory. */
  void flush() throws IOException {
    for (MigratedTable table : MigratedTable.values()) {
      source.flush(table.table());
      target.flush(table.table());
    }
  }

  /**
   * Compares what tables had from the beginning, and no application writes, after a first pass that
   * takes all of it.
   */
  void requireFirstRows(MigratedTable table) throws ToolException, IOException {
    int raw = comparison.compareRaw(table.table(), WorkloadRows::isOfOthers);
    int visible = comparison.compareVisible(table.table(), WorkloadRows::isOfOthers);
    System.out.printf(
        Locale.ROOT,
        "  %s: %d first cells are the same, %d raw ones%n",
        table.table(),
        visible,
        raw);
  }

  /** A first round of the repair, which shortens the one without writes. */
  void repairBeside() throws ToolException, IOException, InterruptedException {
    for (MigratedTable table : MigratedTable.values()) {
      if (table.writesIntoThePast()) {
        long begun = System.nanoTime();
        repair.once(table.table());
        Took.print("  first repair of " + table.table(), begun);
      }
    }
    workload.awaitMore();
  }

  /** Stops the workload and copies what is left; both servers must have the same then. */
  void finish(Pass before) throws ToolException, IOException, InterruptedException {
    workload.stop();
    workload.verify(source);
    flush();
    fence();
    copy(before.last(), MigratedTable::laterPassesBy);
    for (MigratedTable table : MigratedTable.values()) {
      long begun = System.nanoTime();
      target.flush(table.table());
      String same = compare(table);
      Took.print("  " + table.table() + " is the same: " + same, begun);
    }
    int values = workload.verify(target);
    System.out.println("  the application finds its " + values + " values on " + target);
  }

  private void fence() throws ToolException, IOException {
    for (MigratedTable table : MigratedTable.values()) {
      source.setReadOnly(table.table(), true);
      source.requireRefusedWrite(table.table());
    }
  }

  private String compare(MigratedTable migrated)
      throws ToolException, IOException, InterruptedException {
    TableName table = migrated.table();
    String what = migrated.writesIntoThePast() ? repair(table) : compareCopied(table);
    comparison.compareRows(table);
    return comparison.compareVisible(table, cell -> true) + " cells, " + what;
  }

  private String compareCopied(TableName table)
      throws ToolException, IOException, InterruptedException {
    SyncTableRun run = SyncTableRun.hash(source, target, table, "comparison");
    SyncTableRun.requireSame(table, run.compare());
    return comparison.compareRaw(table, cell -> true) + " raw ones";
  }

  /** Markers are not compared here: repairs leave some, or drop them. */
  private String repair(TableName table) throws ToolException, IOException, InterruptedException {
    comparison.compareVisible(table, cell -> !WorkloadRows.isPast(cell));
    return repair.untilSame(table) + " repairs";
  }
}
