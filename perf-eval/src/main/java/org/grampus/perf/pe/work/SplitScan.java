package org.grampus.perf.pe.work;

import org.apache.hadoop.hbase.client.Scan;
import org.grampus.perf.pe.key.RowKey;
import org.grampus.perf.pe.option.Share;

/** The scan of a job, whose parts are what the job's tasks read. */
public final class SplitScan {
  private SplitScan() {}

  /**
   * A scan as those of the test.
   *
   * @param share the rows of all tasks
   */
  public static Scan of(TestClient client, Share share) {
    return new Scans(client, Columns.of(client.options()))
        .scan()
        .withStartRow(RowKey.of(share.start()))
        .withStopRow(RowKey.of(share.end()));
  }
}
