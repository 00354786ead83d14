package org.grampus.perf.pe.work;

import java.io.IOException;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.grampus.perf.pe.key.RowKey;
import org.grampus.perf.pe.measure.Tally;
import org.grampus.perf.pe.option.Command;
import org.grampus.perf.pe.option.RowPlan;

/**
 * A scan from each row over some rows behind it. An operation is a scan. Where the table of the
 * test ends, so does the scan.
 */
final class ShortScan extends RowTest {
  private final long length;
  private Tally tally;
  private long total;
  private boolean limited;
  private Scans scans;
  private Judge judge;
  private Calls calls;

  /** Scans of {@code length} rows. */
  ShortScan(long length) {
    this.length = length;
  }

  @Override
  public void open(TestClient client) throws IOException {
    tally = client.tally();
    total = RowPlan.of(client.options()).total();
    limited = client.options().command() == Command.RANDOM_SEEK_SCAN;
    Columns columns = Columns.of(client.options());
    scans = new Scans(client, columns);
    judge = new Judge(client, columns);
    calls = Calls.of(client);
  }

  @Override
  public Step row(long row) throws IOException {
    long expected = Math.min(length, total - row);
    tally.ask(expected);
    long found = 0;
    RowsInOrder order = new RowsInOrder(row, limited ? Long.MAX_VALUE : row + expected, false);
    try (ResultScanner scanner = calls.scanner(scan(row, expected))) {
      for (Result result = scanner.next(); result != null; result = scanner.next()) {
        judge.row(result, order);
        found++;
      }
    }
    tally.answered(1);
    if (judge.filtered()) {
      tally.rows(expected);
    } else {
      tally.missing(Math.max(0, expected - found));
    }
    return Step.SENT;
  }

  /** HBase's seek has no stop row and ends by a filter that each region takes for itself. */
  private Scan scan(long row, long expected) throws IOException {
    Scan scan = scans.scan().withStartRow(RowKey.of(row));
    return limited ? scan.setLimit((int) expected) : scan.withStopRow(RowKey.of(row + expected));
  }

  @Override
  public void close() throws IOException {
    if (calls != null) {
      calls.close();
    }
  }
}
