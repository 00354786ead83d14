package org.grampus.mapreduce.input;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.grampus.mapreduce.settings.ScanSettings;

/** The results of a split of a table, for both APIs. One thread. */
public final class TableRows implements SplitRows {
  private final ResumingResults results;
  private final KeyProgress position;
  private byte[] row;
  private boolean ended;

  /**
   * Rows of a range.
   *
   * @param settings the job's, which are counted
   * @param scan the job's; its own range does not count
   * @param pieces where the bytes of the range are; none when nothing is known
   */
  public TableRows(
      Table table,
      ScanSettings settings,
      Scan scan,
      KeyRange range,
      List<Piece> pieces,
      ReadCounters.Counting counting)
      throws IOException {
    ReadCounters counters = new ReadCounters(counting);
    counters.settings(settings.effective());
    this.results =
        new ResumingResults(
            table::getScanner,
            SplitScan.of(scan, range),
            counters,
            ScannerLease.of(table.getConfiguration(), scan));
    this.position = new KeyProgress(range, pieces, scan.isReversed());
  }

  @Override
  public Result next() throws IOException {
    Result result = results.next();
    ended = result == null;
    if (!ended) {
      row = result.isCursor() ? result.getCursor().getRow() : result.getRow();
    }
    return result;
  }

  @Override
  public byte[] row() {
    return row;
  }

  @Override
  public float progress() {
    if (ended) {
      return 1;
    }
    return row == null ? 0 : position.after(row);
  }

  @Override
  public void close() {
    results.close();
  }
}
