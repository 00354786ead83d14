package org.grampus.perf.pe.work;

import org.apache.hadoop.hbase.client.Scan;
import org.grampus.perf.pe.key.RowKey;

/** The scan of a job, whose parts are what the job's tasks read. */
public final class JobScan {
  private JobScan() {}

  /**
   * A scan as those of the test.
   *
   * @param start the first row
   * @param end the row behind the last
   */
  public static Scan of(TestClient client, long start, long end) {
    return new Scans(client, Columns.of(client.options()))
        .scan()
        .withStartRow(RowKey.of(start))
        .withStopRow(RowKey.of(end));
  }
}
