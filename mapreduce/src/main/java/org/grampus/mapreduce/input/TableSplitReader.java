package org.grampus.mapreduce.input;

import java.io.Closeable;
import java.io.IOException;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.hadoop.hbase.mapreduce.TableSplit;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.grampus.mapreduce.settings.ScanSettings;

/** Reads a split of a table. One thread. */
final class TableSplitReader extends RecordReader<ImmutableBytesWritable, Result> {
  private final Table table;
  private final ScanSettings settings;
  private final Scan scan;
  private final Closeable connection;
  private final ImmutableBytesWritable key = new ImmutableBytesWritable();
  private TableRows rows;
  private Result value;

  /** A reader of a table, which closes what the table belongs to. */
  TableSplitReader(Table table, ScanSettings settings, Scan scan, Closeable connection) {
    this.table = table;
    this.settings = settings;
    this.scan = scan;
    this.connection = connection;
  }

  @Override
  public void initialize(InputSplit split, TaskAttemptContext context) throws IOException {
    TableSplit rowsOf = (TableSplit) split;
    rows =
        new TableRows(
            table,
            settings,
            scan,
            KeyRange.ofSplit(rowsOf.getStartRow(), rowsOf.getEndRow()),
            PlannedTableSplit.piecesOf(rowsOf),
            (group, name, amount) -> context.getCounter(group, name).increment(amount));
  }

  @Override
  public boolean nextKeyValue() throws IOException {
    value = rows.next();
    if (value == null) {
      return false;
    }
    key.set(rows.row());
    return true;
  }

  @Override
  public ImmutableBytesWritable getCurrentKey() {
    return key;
  }

  @Override
  public Result getCurrentValue() {
    return value;
  }

  @Override
  public float getProgress() {
    return rows.progress();
  }

  @Override
  public void close() throws IOException {
    try (connection) {
      if (rows != null) {
        rows.close();
      }
    }
  }
}
