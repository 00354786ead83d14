package org.grampus.mapreduce.input;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.TreeMap;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.metrics.ScanMetrics;
import org.apache.hadoop.hbase.util.Bytes;

/** A table whose scanners are lost after a number of results, if the test says so. */
final class FakeTable implements ResumingResults.Scanners {
  private static final byte[] FAMILY = Bytes.toBytes("f");

  private final TreeMap<byte[], List<Cell>> rows = new TreeMap<>(Bytes.BYTES_COMPARATOR);
  private final Deque<Integer> losses = new ArrayDeque<>();
  private IOException loss = new IOException("lost");
  private int renewals;
  private boolean sayingMore;

  /** Puts columns q0, q1 and so on into a row. */
  FakeTable row(String row, int columns) {
    List<Cell> cells = new ArrayList<>();
    for (int i = 0; i < columns; i++) {
      cells.add(cell(row, "q" + i));
    }
    rows.put(Bytes.toBytes(row), cells);
    return this;
  }

  private static Cell cell(String row, String qualifier) {
    return new KeyValue(
        Bytes.toBytes(row), FAMILY, Bytes.toBytes(qualifier), 1L, Bytes.toBytes("v"));
  }

  void delete(String row) {
    rows.remove(Bytes.toBytes(row));
  }

  void deleteCell(String row, int index) {
    rows.get(Bytes.toBytes(row)).remove(index);
  }

  /** Each scanner in turn is lost after the next of these numbers of results. */
  FakeTable losing(Integer... afterResults) {
    losses.addAll(Arrays.asList(afterResults));
    return this;
  }

  FakeTable with(IOException failure) {
    loss = failure;
    return this;
  }

  /** Every batch says that more cells of its row may follow, also the last one. */
  FakeTable sayingMore() {
    sayingMore = true;
    return this;
  }

  int renewals() {
    return renewals;
  }

  @Override
  public ResultScanner open(Scan scan) {
    Integer after = losses.poll();
    Deque<Result> results = new ArrayDeque<>();
    for (var row : (scan.isReversed() ? rows.descendingMap() : rows).entrySet()) {
      if (KeyRange.ofScan(scan).contains(row.getKey())) {
        results.addAll(results(row.getValue(), scan.getBatch()));
      }
    }
    return new Scanner(results, after == null ? Integer.MAX_VALUE : after);
  }

  private List<Result> results(List<Cell> cells, int batch) {
    int size = batch > 0 ? batch : cells.size();
    List<Result> results = new ArrayList<>();
    for (int i = 0; i < cells.size(); i += size) {
      int end = Math.min(cells.size(), i + size);
      Cell[] some = cells.subList(i, end).toArray(new Cell[0]);
      results.add(Result.create(some, null, false, sayingMore || end < cells.size()));
    }
    return results;
  }

  private final class Scanner implements ResultScanner {
    private final Deque<Result> results;
    private int left;

    Scanner(Deque<Result> results, int left) {
      this.results = results;
      this.left = left;
    }

    @Override
    public Result next() throws IOException {
      if (left-- == 0) {
        throw loss;
      }
      return results.poll();
    }

    @Override
    public void close() {}

    @Override
    public boolean renewLease() {
      renewals++;
      return true;
    }

    @Override
    public ScanMetrics getScanMetrics() {
      ScanMetrics metrics = new ScanMetrics();
      metrics.countOfRPCcalls.set(1);
      return metrics;
    }
  }
}
