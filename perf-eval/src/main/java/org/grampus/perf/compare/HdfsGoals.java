package org.grampus.perf.compare;

import java.util.Set;

/** Goals of servers whose files are on one HDFS, in the place of those of local disks. */
final class HdfsGoals {
  private static final double HALF = 0.5;

  /** Rows whose calls wait for the log, one at a time: their latency is the log's. */
  private static final Set<String> LOGGED = Set.of("put", "increment", "append", "check-and-put");

  private HdfsGoals() {}

  /**
   * A row with its goal there. The size of a table is the same on any disk, the echo has no goal,
   * and what must not fall or grow from row to row is a goal beside the processor time.
   */
  static Row of(Row row) {
    if (!row.isTimed() || !row.hasServers()) {
      return row;
    }
    Goal cpu = Goal.cpu(HALF);
    if (LOGGED.contains(row.name())) {
      return row.goal(cpu.and(Goal.latency()));
    }
    boolean keeps = OverloadRows.has(row) || FlatRows.has(row);
    return row.goal(row.goal().filter(goal -> keeps).map(cpu::and).orElse(cpu));
  }
}
