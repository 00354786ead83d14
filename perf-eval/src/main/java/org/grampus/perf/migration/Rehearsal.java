package org.grampus.perf.migration;

import java.io.IOException;
import java.util.Locale;
import java.util.Random;
import org.apache.hadoop.hbase.client.Table;
import org.grampus.perf.ToolException;

/** The steps of docs/cluster.md, "Migrating from HBase, and back". For one thread. */
public final class Rehearsal {
  private final Side hbase;
  private final Side grampus;
  private final Random random;

  /**
   * With servers without tables.
   *
   * @param hbase a stock one
   * @param random decides what the application writes
   */
  public Rehearsal(Side hbase, Side grampus, Random random) {
    this.hbase = hbase;
    this.grampus = grampus;
    this.random = random;
  }

  /**
   * Migrates there and back; returns a sentence of what was done.
   *
   * @throws ToolException when something is not on the other side, or a tool fails
   */
  public String run() throws ToolException, IOException, InterruptedException {
    createTables();
    try (Workload workload = new Workload(random)) {
      workload.startOn(hbase);
      migrate(workload);
      long switchedAtMillis = System.currentTimeMillis();
      workload.startOn(grampus);
      migrateBack(workload, switchedAtMillis);
      int cells = compareCompacted();
      workload.startOn(hbase);
      workload.stop();
      workload.verify(hbase);
      return String.format(
          Locale.ROOT,
          "%d tables migrated and back beside %d operations, %d cells are the same once compacted",
          MigratedTable.values().length,
          workload.operations(),
          cells);
    }
  }

  private void createTables() throws ToolException, IOException {
    for (MigratedTable migrated : MigratedTable.values()) {
      TableShape.create(hbase, migrated.table());
      hbase.setCompactions(migrated.table(), false);
      try (Table table = hbase.table(migrated.table())) {
        new FirstRows(table, System.currentTimeMillis()).write();
      }
      TableShape.createLike(hbase, grampus, migrated.table());
      grampus.setCompactions(migrated.table(), false);
    }
  }

  private void migrate(Workload workload) throws ToolException, IOException, InterruptedException {
    System.out.println("from " + hbase + " to " + grampus);
    Migration migration = new Migration(hbase, grampus, workload);
    migration.flush();
    Pass first = Pass.until(System.currentTimeMillis());
    migration.copyBeside(first, MigratedTable::firstPassBy);
    migration.flush();
    migration.requireFirstRows(MigratedTable.BY_SNAPSHOT);
    Pass second = first.next(System.currentTimeMillis());
    migration.copyBeside(second, MigratedTable::laterPassesBy);
    migration.repairBeside();
    migration.finish(second);
  }

  private void migrateBack(Workload workload, long switchedAtMillis)
      throws ToolException, IOException, InterruptedException {
    System.out.println("back, from " + grampus + " to " + hbase);
    for (MigratedTable table : MigratedTable.values()) {
      hbase.setReadOnly(table.table(), false);
    }
    Migration migration = new Migration(grampus, hbase, workload);
    migration.flush();
    Pass first = Pass.between(switchedAtMillis, System.currentTimeMillis());
    migration.copyBeside(first, MigratedTable::laterPassesBy);
    migration.repairBeside();
    migration.finish(first);
  }

  /** Compactions drop what markers and limits hide; a client must not see it. */
  private int compareCompacted() throws ToolException, IOException, InterruptedException {
    Comparison comparison = new Comparison(hbase, grampus);
    int cells = 0;
    for (MigratedTable migrated : MigratedTable.values()) {
      grampus.setReadOnly(migrated.table(), false); // else stock servers do not compact
      new Compaction(hbase, migrated.table()).run();
      new Compaction(grampus, migrated.table()).run();
      cells += comparison.compareVisible(migrated.table(), cell -> true);
    }
    return cells;
  }
}
