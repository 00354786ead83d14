package org.grampus.perf.command;

import java.util.ArrayList;
import java.util.List;

/**
 * What a job reads.
 *
 * @param name in results
 * @param table of both servers; its snapshot has the same name and a suffix
 * @param columns FAMILY:QUALIFIER each; none for all
 * @param filter in HBase's filter language; empty for none
 * @param condition the same in SQL
 */
record JobWork(String name, String table, List<String> columns, String filter, String condition) {
  private static final String SNAPSHOT_SUFFIX = "_snapshot";

  /** Name of the snapshot. */
  String snapshot() {
    return snapshotOf(table);
  }

  /** Name of a table's snapshot. */
  static String snapshotOf(String table) {
    return table + SNAPSHOT_SUFFIX;
  }

  /** The same under another name. */
  JobWork named(String other) {
    return new JobWork(other, table, columns, filter, condition);
  }

  /** The same over a few rows of the same columns, in as many regions. */
  JobWork small() {
    return new JobWork(name, JobTables.smallOf(table), columns, filter, condition);
  }

  /** Whether all rows of the table are wanted. */
  boolean wantsAllRows() {
    return filter.isEmpty();
  }

  /** The options that {@code CountingJob} and {@code bin/grampus download} share. */
  List<String> options() {
    List<String> options = new ArrayList<>();
    if (!columns.isEmpty()) {
      options.add("--columns=" + String.join(",", columns));
    }
    if (!filter.isEmpty()) {
      options.add("--filter=" + filter);
    }
    return options;
  }
}
