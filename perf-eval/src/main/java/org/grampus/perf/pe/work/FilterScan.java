package org.grampus.perf.pe.work;

import java.io.IOException;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.BinaryComparator;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.grampus.perf.pe.measure.Tally;
import org.grampus.perf.pe.table.TableShape;
import org.grampus.perf.pe.value.CellValues;

/**
 * A scan of the whole table for each row, which looks for the rows with the value that a write test
 * gives to this one. An operation is a scan. With {@code --verify} it must find one.
 */
final class FilterScan extends RowTest {
  private Tally tally;
  private Scans scans;
  private CellValues values;
  private boolean verify;
  private Calls calls;

  @Override
  public void open(TestClient client) throws IOException {
    tally = client.tally();
    scans = new Scans(client, Columns.of(client.options(), 1));
    values = client.values();
    verify = client.options().reads().verify() && !client.options().reads().filterAll();
    calls = Calls.of(client);
  }

  @Override
  public Step row(long row) throws IOException {
    long found = 0;
    try (ResultScanner scanner = calls.scanner(scan(row))) {
      for (Result result = scanner.next(); result != null; result = scanner.next()) {
        found++;
        tally.bytes(RowBytes.of(result));
      }
    }
    tally.answered(1);
    tally.ask(found);
    tally.rows(found);
    if (verify && found == 0) {
      tally.ask(1);
      tally.missing(1);
    }
    return Step.SENT;
  }

  private Scan scan(long row) {
    Filter value =
        new SingleColumnValueFilter(
            TableShape.family(0),
            TableShape.qualifier(0),
            CompareOperator.EQUAL,
            new BinaryComparator(values.value(row, 0, 0)));
    Scan scan = scans.scan();
    Filter other = scan.getFilter();
    return scan.setFilter(other == null ? new FilterList(value) : new FilterList(value, other));
  }

  @Override
  public void close() throws IOException {
    if (calls != null) {
      calls.close();
    }
  }
}
