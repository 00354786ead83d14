package org.grampus.compat.suite;

import java.io.IOException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.CompactionState;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.exceptions.MergeRegionException;

/** Compactions and merges that a test must see the end of. */
final class Maintenance {
  private static final byte[] SENTINEL = {'~', '~'};
  private static final byte[] QUALIFIER = {'s'};
  private static final long LIMIT_NANOS = 60_000_000_000L;

  private Maintenance() {}

  /**
   * Major-compacts a table and waits for it. A deleted sentinel row in the given family, which must
   * not keep deleted cells, shows when its store is done: only then is its marker gone.
   */
  static void majorCompact(Connection connection, TableName name, byte[] family)
      throws IOException, InterruptedException {
    try (Admin admin = connection.getAdmin();
        Table table = connection.getTable(name)) {
      table.put(new Put(SENTINEL).addColumn(family, QUALIFIER, QUALIFIER));
      table.delete(new Delete(SENTINEL).addFamily(family));
      admin.flush(name);
      admin.majorCompact(name);
      long deadline = System.nanoTime() + LIMIT_NANOS;
      while (sentinelIsThere(table, family)
          || admin.getCompactionState(name) != CompactionState.NONE) {
        if (System.nanoTime() > deadline) {
          throw new IOException("the major compaction of " + name + " did not end within 60 s");
        }
        Thread.sleep(20);
      }
    }
  }

  /** Merges regions once compactions have replaced their references to files of other regions. */
  static void merge(Admin admin, byte[][] regions) throws Exception {
    long deadline = System.nanoTime() + LIMIT_NANOS;
    while (true) {
      try {
        admin.mergeRegionsAsync(regions, false).get(60, TimeUnit.SECONDS);
        return;
      } catch (ExecutionException e) {
        if (!(e.getCause() instanceof MergeRegionException) || System.nanoTime() > deadline) {
          throw e;
        }
        Thread.sleep(100);
      }
    }
  }

  private static boolean sentinelIsThere(Table table, byte[] family) throws IOException {
    Scan scan =
        new Scan()
            .setRaw(true)
            .readAllVersions()
            .withStartRow(SENTINEL)
            .withStopRow(SENTINEL, true)
            .addFamily(family);
    try (ResultScanner scanner = table.getScanner(scan)) {
      return scanner.next() != null;
    }
  }
}
