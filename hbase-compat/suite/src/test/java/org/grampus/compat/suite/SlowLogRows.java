package org.grampus.compat.suite;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/** The table of slow and large calls. */
final class SlowLogRows {
  private static final byte[] INFO = Bytes.toBytes("info");

  private SlowLogRows() {}

  /**
   * Waits for a call to be written, and returns its method.
   *
   * @param region how the name of its region begins
   */
  static String awaitMethod(Connection connection, String region, long maxMillis)
      throws IOException, InterruptedException {
    long deadline = System.currentTimeMillis() + maxMillis;
    try (Table calls = connection.getTable(TableName.valueOf("hbase:slowlog"))) {
      while (true) {
        try (ResultScanner scanner = calls.getScanner(INFO)) {
          for (Result call : scanner) {
            if (text(call, "region_name").startsWith(region)) {
              return text(call, "method_name");
            }
          }
        }
        assertTrue(System.currentTimeMillis() < deadline, "no call of " + region);
        Thread.sleep(100);
      }
    }
  }

  private static String text(Result call, String column) {
    return Bytes.toString(call.getValue(INFO, Bytes.toBytes(column)));
  }
}
