package org.grampus.perf.moving;

import java.io.IOException;
import org.apache.hadoop.hbase.TableName;
import org.grampus.perf.ToolException;

/** A way of moving a table's cells from one server to another. */
@FunctionalInterface
interface Way {
  /** HBase's tools take it for all versions. */
  String ALL_VERSIONS = String.valueOf(Integer.MAX_VALUE);

  /** Moves what belongs to a pass. */
  void move(Side from, Side to, TableName table, Pass pass)
      throws ToolException, IOException, InterruptedException;
}
