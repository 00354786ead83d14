package org.grampus.compat.suite;

import java.io.IOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;

/** Full scans of a table that nothing writes to, which must agree. */
public final class FullScans {
  private FullScans() {}

  /** Counts the rows forward and backward; a difference is a violation. */
  public static int count(Connection connection, TableName name, Violations violations)
      throws IOException {
    try (Table table = connection.getTable(name)) {
      int forward = count(table, new Scan());
      int backward = count(table, new Scan().setReversed(true));
      if (forward != backward) {
        violations.add(
            "a scan of "
                + name
                + " sees "
                + forward
                + " rows forward and "
                + backward
                + " backward");
      }
      return forward;
    }
  }

  private static int count(Table table, Scan scan) throws IOException {
    int rows = 0;
    try (ResultScanner scanner = table.getScanner(scan)) {
      for (Result result = scanner.next(); result != null; result = scanner.next()) {
        rows++;
      }
    }
    return rows;
  }
}
