package org.grampus.perf.migration;

import java.io.IOException;
import org.apache.hadoop.hbase.TableName;
import org.grampus.perf.ToolException;

/** A method of copying a table's cells from one server to another. */
@FunctionalInterface
interface CopyMethod {
  /**
   * Copies at least the cells of the pass; may be repeated.
   *
   * @throws ToolException when a tool fails
   */
  void copy(Side source, Side target, TableName table, Pass pass)
      throws ToolException, IOException, InterruptedException;
}
