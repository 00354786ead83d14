package org.grampus.perf.pe.work;

import java.io.IOException;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.grampus.perf.pe.key.RowKey;
import org.grampus.perf.pe.measure.Tally;
import org.grampus.perf.pe.option.Command;
import org.grampus.perf.pe.option.Share;

/**
 * One scan of a client's rows, upwards or downwards, which ends where they end; in each cycle
 * another one. An operation is a row.
 */
final class ShareScan extends RowTest {
  private Tally tally;
  private Share share;
  private Scans scans;
  private Judge judge;
  private boolean reversed;
  private long left;
  private Calls calls;
  private ResultScanner scanner;
  private RowsInOrder order;

  @Override
  public void open(TestClient client) throws IOException {
    tally = client.tally();
    share = client.task().share();
    Columns columns = Columns.of(client.options());
    scans = new Scans(client, columns);
    judge = new Judge(client, columns);
    reversed = client.options().command() == Command.REVERSE_SCAN;
    calls = Calls.of(client);
  }

  @Override
  public Step row(long ignored) throws IOException {
    if (scanner == null) {
      scanner = calls.scanner(scan());
      order = new RowsInOrder(share.start(), share.end(), reversed);
      left = share.rows();
      tally.ask(left);
    }
    Result result = scanner.next();
    if (result == null) {
      return nothingLeft();
    }
    tally.answered(1);
    judge.row(result, order);
    left--;
    if (left == 0) {
      endOfScan();
    }
    return Step.SENT;
  }

  /** Under a filter of all rows nothing comes back, and the answer stands for all rows. */
  private Step nothingLeft() {
    closeScanner();
    if (judge.filtered()) {
      tally.answered(left);
      tally.rows(left);
      return Step.LAST;
    }
    tally.missing(left);
    return Step.END;
  }

  private Scan scan() {
    byte[] first = RowKey.of(share.start());
    return reversed
        ? scans
            .scan()
            .setReversed(true)
            .withStartRow(RowKey.of(share.end() - 1))
            .withStopRow(first, true)
        : scans.scan().withStartRow(first).withStopRow(RowKey.of(share.end()));
  }

  /** Rows between those that a test writes count, too: there should be none. */
  private void endOfScan() throws IOException {
    Result more = scanner.next();
    while (more != null) {
      tally.rows(1);
      tally.bytes(RowBytes.of(more));
      more = scanner.next();
    }
    closeScanner();
  }

  private void closeScanner() {
    if (scanner != null) {
      scanner.close();
      scanner = null;
    }
  }

  @Override
  public void close() throws IOException {
    closeScanner();
    if (calls != null) {
      calls.close();
    }
  }
}
