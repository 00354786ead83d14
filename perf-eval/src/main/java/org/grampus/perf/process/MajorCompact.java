package org.grampus.perf.process;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.CompactionState;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.grampus.perf.ToolException;

/**
 * Flushes and major-compacts a table and waits until the server says that nothing compacts for a
 * whole second. It waits likewise before it asks for the compaction: a store of HBase that compacts
 * some files at that moment takes only the others, and those not as a major compaction ({@code
 * SortedCompactionPolicy}).
 */
public final class MajorCompact {
  private static final long QUIET_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long LIMIT_NANOS = TimeUnit.HOURS.toNanos(1);

  private MajorCompact() {}

  /**
   * Does it for a table of the server that a client's configuration names.
   *
   * @throws ToolException when it compacts after an hour
   */
  public static void compact(Configuration conf, TableName table)
      throws ToolException, IOException, InterruptedException {
    try (Connection connection = ConnectionFactory.createConnection(conf);
        Admin admin = connection.getAdmin()) {
      admin.flush(table);
      awaitQuiet(admin, table);
      admin.majorCompact(table);
      awaitQuiet(admin, table);
    }
  }

  private static void awaitQuiet(Admin admin, TableName table)
      throws ToolException, IOException, InterruptedException {
    long began = System.nanoTime();
    long quietSince = began;
    while (System.nanoTime() - quietSince < QUIET_NANOS) {
      if (System.nanoTime() - began > LIMIT_NANOS) {
        throw new ToolException("waited an hour in vain for compactions of " + table + " to end");
      }
      if (admin.getCompactionState(table) != CompactionState.NONE) {
        quietSince = System.nanoTime();
      }
      Thread.sleep(50);
    }
  }
}
